/** One operator fills the database in every way. Other callers can still work, and the operator can clean up. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Caller, createCaller, startTarget } from "./target.ts";

const json = { "content-type": "application/json" };
const large = "x".repeat(900_000);

/**
 * A different request each time: all kinds of resources, inside and outside an environment, alone, in batches and in
 * plans.
 */
const growing: readonly ((n: number) => readonly [method: string, path: string, body: object])[] = [
  (n) => ["POST", "/api/v1/connectors/", connector(`c${n}`)],
  (n) => ["POST", "/api/v1/pipelines/", { name: `p${n}`, libraries: [], configuration: { note: large } }],
  (n) => ["POST", "/api/automations", { alias: `a${n}`, definition: automation }],
  (n) => ["POST", "/api/agents", { name: `g${n}`, description: large }],
  (n) => ["POST", "/api/v1/deployments/", { ...deployment, deployment_name: `${large}${n}` }],
  (n) => ["PUT", `/api/automations/a0/attempts/t${n}`, { ...automation, files: [], metadata: { large } }],
  (n) => [
    "POST",
    "/api/v1/plans",
    {
      environment: "local",
      project: { name: "filler" },
      resources: [
        { kind: "connector", name: `q${n}`, definition: { ...planned, target_config: { note: large } } },
      ],
    },
  ],
  (n) => [
    "POST",
    "/api/v1/batch",
    {
      mode: "all_or_nothing",
      operations: [{ method: "POST", path: "/api/v1/connectors/", body: connector(`b${n}`) }],
    },
  ],
];

const planned = { target_type: "csv" };
const connector = (name: string) => ({ ...planned, name, target_config: null, created_by: "somebody else" });
const automation = { tasks: [{ name: "t", kind: "sql", query: "SELECT 1" }] };
const deployment = { git_branch: "main", git_commit_sha: "3f9c1d2" };

const send = (caller: Caller, [method, path, body]: readonly [string, string, object]) =>
  caller.fetch(path, { method, headers: json, body: JSON.stringify(body) });

/** Also finds the status of an operation in a batch. */
async function statusOf(response: Response): Promise<number> {
  const text = await response.text();
  return /"status":413/.test(text) ? 413 : response.status;
}

suite("quotas", () => {
  test("an operator who fills the store has a limit, and others in the same environment go on", async (t) => {
    const target = await startTarget(t, {
      settings: { PLATFORM_RESOURCES_PER_CALLER: "30", PLATFORM_STORED_MB_PER_CALLER: "8" },
    });
    const { operator: attacker, admin } = target;
    const other = await createCaller(target.server, "operator", "other@example.test");
    const refusedSince = growing.map(() => 0);
    for (let n = 0; n < 100 && refusedSince.some((times) => times < 2); n++) {
      for (const [at, next] of growing.entries()) {
        const status = await statusOf(await send(attacker, next(n)));
        assert.ok(status === 200 || status === 413, `${next(n)[1]}: ${status}`);
        refusedSince[at] = status === 413 ? (refusedSince[at] ?? 0) + 1 : 0;
      }
    }
    // Every way is refused, also for small additions.
    assert.ok(
      refusedSince.every((times) => times >= 2),
      String(refusedSince),
    );
    const { quotas } = await attacker.client.listQuotas();
    for (const { name, used, limit } of quotas.filter(({ scope }) => scope === "caller"))
      assert.ok(used <= (limit ?? 0), `${name}: ${used} of ${limit}`);
    const [mine] = (await attacker.client.listConnectors({ query: { search: "c0" } })).connectors;
    const params = { connector_id: mine?.id ?? "" };
    const grow = { method: "PATCH", headers: json, body: JSON.stringify({ target_config: { note: large } }) };
    assert.equal((await attacker.fetch(`/api/v1/connectors/${params.connector_id}`, grow)).status, 413);

    for (const caller of [other, admin]) {
      const name = caller === other ? "theirs" : "admins";
      assert.equal((await send(caller, ["POST", "/api/v1/connectors/", connector(name)])).status, 200);
      assert.equal((await send(caller, ["POST", "/api/v1/deployments/", deployment])).status, 200);
    }
    // The operator cannot fill the quota of another operator by enlarging that operator's resources either.
    const [theirs] = (await other.client.listConnectors({ query: { search: "theirs" } })).connectors;
    assert.equal((await attacker.fetch(`/api/v1/connectors/${theirs?.id}`, grow)).status, 413);

    await attacker.client.pauseConnector({ params, body: { reason: "tonight" } });
    await attacker.client.deleteConnector({ params });
    const { pipelines } = await attacker.client.listPipelines();
    for (const { pipeline_id } of pipelines)
      await attacker.client.deletePipeline({ params: { pipeline_id } });
    assert.equal((await send(attacker, ["POST", "/api/v1/connectors/", connector("again")])).status, 200);
  });
});
