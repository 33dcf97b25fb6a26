import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { createCaller, startTarget } from "./target.ts";

const json = { "content-type": "application/json" };
const connector = (name: string) =>
  JSON.stringify({ name, target_type: "csv", target_config: null, created_by: "ada" });

suite("changes by plan", () => {
  test("one admin cannot change an environment directly by lifting the rule, by moving it, or in other words", async (t) => {
    const { server, operator, admin } = await startTarget(t);
    const environments = "/api/v1/environments";
    const setUp = { name: "prod", protected: true, configuration: { changes: "plan", catalog: "shop" } };
    const made = await admin.fetch(`${environments}/`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(setUp),
    });
    const { id } = (await made.json()) as { id: string };
    const inProd = { ...json, "x-environment-id": "prod" };
    const create = (who: typeof admin, environment: string) =>
      who.fetch("/api/v1/connectors/", {
        method: "POST",
        headers: { ...json, "x-environment-id": environment },
        body: connector("crm"),
      });
    for (const who of [operator, admin]) {
      for (const environment of ["prod", id]) assert.equal((await create(who, environment)).status, 403);
    }
    const operation = { method: "POST", path: "/api/v1/connectors", headers: { "X-Environment-Id": id } };
    for (const mode of ["each", "all_or_nothing"]) {
      const body = JSON.stringify({
        mode,
        operations: [{ ...operation, body: JSON.parse(connector("crm")) }],
      });
      const answer = await admin.fetch("/api/v1/batch", { method: "POST", headers: json, body });
      const { results } = (await answer.json()) as { results: { status: number }[] };
      assert.equal(results[0]?.status, 403, mode);
    }
    for (const change of [
      { protected: false },
      { configuration: {} },
      { configuration: { catalog: "shop", changes: "direct" } },
      { configuration: { catalog: "shop", changes: "plan", host: "attacker.example.test" } },
      { name: "staging" },
      { platform: "spark" },
    ]) {
      const body = JSON.stringify(change);
      for (const place of ["prod", id]) {
        const answer = await admin.fetch(`${environments}/${place}`, {
          method: "PATCH",
          headers: json,
          body,
        });
        assert.equal(answer.status, 409, body);
      }
    }
    const gone = await admin.fetch(`${environments}/prod?force=true`, { method: "DELETE" });
    assert.equal(gone.status, 409);

    const ask = { method: "POST", headers: json, body: JSON.stringify({ lift: true, reason: "Tonight" }) };
    assert.equal((await operator.fetch(`${environments}/prod/change-request`, ask)).status, 403);
    const request = async (body: object) => {
      const init = { ...ask, body: JSON.stringify({ ...body, reason: "Tonight" }) };
      const answer = await admin.fetch(`${environments}/prod/change-request`, init);
      return (await answer.json()) as { id: string };
    };
    const second = await createCaller(server, "admin", "second@example.test");
    const approve = async (who: typeof admin, id: unknown) => {
      const init = { method: "POST", headers: json, body: JSON.stringify({ id }) };
      return (await who.fetch(`${environments}/prod/change-request/approve`, init)).status;
    };
    // The change request that the other admin has read is replaced before the approval.
    const harmless = await request({ change: { configuration: { ...setUp.configuration, owner: "ada" } } });
    const lifting = await request({ lift: true });
    for (const id of [harmless.id, "", "x", undefined]) assert.ok((await approve(second, id)) >= 409);
    for (const who of [operator, admin]) assert.equal(await approve(who, lifting.id), 403);
    assert.equal((await create(admin, "prod")).status, 403);
    // Runs and pauses work as usual; a second admin lifts the restriction.
    assert.equal(
      (await admin.fetch("/api/v1/deployments/", { method: "POST", headers: inProd, body: "{}" })).status,
      200,
    );
    assert.equal(await approve(second, lifting.id), 200);
    assert.equal((await create(admin, "prod")).status, 200);
  });

  test("what a plan was refused, the same operator cannot POST", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "policies-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "names.yaml"), 'rule: resource.name.startsWith("tmp_")\nmessage: No.\n');
    const { operator } = await startTarget(t, { settings: { PLATFORM_POLICIES_DIR: folder } });
    const post = (path: string, body: string) =>
      operator.fetch(path, { method: "POST", headers: json, body });
    const plan = await post(
      "/api/v1/plans",
      JSON.stringify({
        environment: "local",
        project: { name: "shop" },
        resources: [
          { kind: "connector", name: "tmp_crm", definition: { target_type: "csv", target_config: null } },
        ],
      }),
    );
    assert.equal(((await plan.json()) as { status: string }).status, "refused");
    assert.equal((await post("/api/v1/connectors/", connector("tmp_crm"))).status, 403);
    const created = await post("/api/v1/connectors/", connector("crm"));
    assert.equal(created.status, 200);
    const { id } = (await created.json()) as { id: string };
    const rename = { method: "PATCH", headers: json, body: JSON.stringify({ name: "tmp_crm" }) };
    const renamed = await operator.fetch(`/api/v1/connectors/${id}`, rename);
    const now = (await (await operator.fetch(`/api/v1/connectors/${id}`)).json()) as { name: string };
    assert.deepEqual([renamed.status === 403 || now.name === "crm", now.name], [true, "crm"]);
    // A release would register an unknown agent.
    const agent = async (agent_name: string) => {
      const body = { agent_name, version: "1", environment: "local", action: "activate" };
      return (await post("/api/agents/chat/sync-release", JSON.stringify(body))).status;
    };
    assert.deepEqual([await agent("tmp_desk"), await agent("desk")], [403, 200]);
    const { agents } = await operator.client.listAgents({});
    assert.deepEqual(
      agents.map(({ name }) => name),
      ["desk"],
    );
  });
});
