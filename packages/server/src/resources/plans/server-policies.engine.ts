import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { PlanPolicy } from "@lakehelm/contract";
import { startTestServer } from "../../testing/server.ts";
import { readServerPolicies } from "./server-policies.ts";

const denied = `level: deny
rule: action == "create" && resource.name.startsWith("tmp_")
message: "{kind} {name} has no place here."
examples: []
`;

const agents = (...names: string[]) =>
  names.map((name) => ({ kind: "agent" as const, name, definition: { name } }));

test("policies of the server hold for every plan, whatever its project brings along", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "policies-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "no-tmp.yaml"), denied);
  const { client, close } = await startTestServer({
    settings: { PLATFORM_POLICIES_DIR: folder, PLATFORM_CONNECTOR_FOLDERS: `${folder}-exchange` },
  });
  t.after(close);
  const plan = (names: string[], policies: PlanPolicy[] = []) =>
    client.createPlan({
      body: { environment: "local", project: { name: "shop" }, resources: agents(...names), policies },
    });

  assert.equal((await plan(["desk"])).status, "planned");
  const refused = await plan(["desk", "tmp_desk"]);
  assert.equal(refused.status, "refused");
  assert.deepEqual(
    refused.findings.map(({ policy, level, name, message }) => [policy, level, name, message]),
    [["server/no-tmp", "deny", "tmp_desk", "agent tmp_desk has no place here."]],
  );
  // A rule of the project with many findings does not hide the denial either.
  const names = Array.from({ length: 1100 }, (_, n) => `desk_${n}`);
  const all = { name: "all", level: "warn" as const, rule: "true", message: "{name}" };
  const crowded = await plan([...names, "tmp_desk"], [all]);
  assert.deepEqual([crowded.status, crowded.findings[0]?.policy], ["refused", "server/no-tmp"]);
});

test("a policy that cannot be used stops the start of the server", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "policies-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const wrong = async (text: string, why: RegExp) => {
    await writeFile(join(folder, "one.yaml"), text);
    assert.throws(() => readServerPolicies(folder), why);
  };
  await wrong("level: [", /one\.yaml: line 1/);
  await wrong("- 1", /It must have level, rule and message/);
  await wrong("rule: 'true'", /one\.yaml: message: Field required/);
  await wrong("rule: action ==\nmessage: m", /Not valid CEL/);
  assert.throws(() => readServerPolicies(join(folder, "none")), /PLATFORM_POLICIES_DIR: .* cannot be read/);
  await writeFile(join(folder, "one.yaml"), "name: same\nrule: 'true'\nmessage: m");
  await writeFile(join(folder, "two.json"), '{"name": "same", "rule": "true", "message": "m"}');
  assert.throws(() => readServerPolicies(folder), /two policies are named server\/same/);
  assert.deepEqual(readServerPolicies(""), []);
});
