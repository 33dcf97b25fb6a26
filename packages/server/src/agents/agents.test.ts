import assert from "node:assert/strict";
import { test } from "node:test";
import { newFolder, openHouse, refusal } from "./test-house.ts";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";

test("an agent is read by its id, its name and its aliases", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const made = await client.createAgent({
    body: { name: "order-desk", aliases: ["orders", "bestell/ung ü"] },
  });
  for (const agent_id of [made.id, "order-desk", "orders", "bestell/ung ü"]) {
    assert.deepEqual(await client.getAgent({ params: { agent_id } }), made);
  }
  const missing = await refusal(client.getAgent({ params: { agent_id: "nobody" } }));
  assert.deepEqual(missing, { status: 404, detail: 'There is no agent "nobody".' });
  assert.deepEqual(await client.listAgents(), { agents: [made], total: 1 });
});

test("names and aliases of all agents share one namespace", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  await client.createAgent({ body: { name: "a", aliases: ["b", "b", "a"] } });
  for (const body of [
    { name: "a" },
    { name: "b" },
    { name: "c", aliases: ["a"] },
    { name: "d", aliases: ["b"] },
  ]) {
    assert.equal((await refusal(client.createAgent({ body }))).status, 409);
  }
  const { agents, total } = await client.listAgents();
  assert.equal(total, 1);
  assert.deepEqual(agents[0]?.aliases, ["b"]);
  // What a refused agent would have taken is still free.
  await client.createAgent({ body: { name: "c", aliases: ["d"] } });
});

test("of many requests at once for one name, one succeeds", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const bodies = Array.from({ length: 12 }, (_, n) =>
    n % 2 ? { name: "same" } : { name: `other-${n}`, aliases: ["same"] },
  );
  const ended = await Promise.allSettled(bodies.map((body) => client.createAgent({ body })));
  assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
  for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 409);
  assert.equal((await client.listAgents()).total, 1);
});

test("the same Idempotency-Key at once makes one agent and answers both alike", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const call = { body: { name: "once" }, idempotencyKey: "k1" };
  const [a, b] = await Promise.all([client.createAgent(call), client.createAgent(call)]);
  assert.deepEqual(a, b);
});

test("only an admin may set a source_path", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const operator = await house.operator();
  const source_path = "agents/order-desk";
  const { id } = await operator.createAgent({ body: { name: "order-desk", source_path: null } });
  for (const call of [
    operator.createAgent({ body: { name: "x", source_path } }),
    operator.createAgentVersion({ params: { agent_id: id }, body: { version: "1", source_path } }),
    operator.createApp({ body: { name: "x", source_path } }),
  ]) {
    assert.equal((await refusal(call)).status, 403);
  }
  assert.equal(
    (await house.client.createAgent({ body: { name: "x", source_path } })).source_path,
    source_path,
  );
});

test("a version is unique for its agent", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  await client.createAgent({ body: { name: "a", aliases: ["alias"] } });
  await client.createAgent({ body: { name: "b" } });
  const body = { version: "1.0.0", metadata: { notes: "first" } };
  const at = (agent_id: string) => client.createAgentVersion({ params: { agent_id }, body });
  const ended = await Promise.allSettled([at("a"), at("alias"), at("a")]);
  assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
  await at("b");
  const { versions, total } = await client.listAgentVersions({ params: { agent_id: "alias" } });
  assert.equal(total, 1);
  assert.deepEqual(versions[0]?.metadata, { notes: "first" });
  assert.equal((await refusal(client.listAgentVersions({ params: { agent_id: unknownId } }))).status, 404);
});

test("deleting an agent removes its versions, aliases and releases", async (t) => {
  const { client, agents } = await openHouse(t, await newFolder(t));
  const body = { agent_name: "desk", version: "1", environment: "prod", action: "activate" } as const;
  const { agent } = await client.syncAgentRelease({ body });
  const prod = agent.releases[0]?.environment_id as string;
  const running = await refusal(client.deleteAgent({ params: { agent_id: "desk" } }));
  assert.equal(running.status, 409);
  assert.match(running.detail, /chat of "desk"/);

  await client.stopAgent({ body: { agent_id: agent.id }, environment: "prod" });
  assert.equal((await agents.currentReleases(prod)).length, 1);
  await client.deleteAgent({ params: { agent_id: "desk" } });
  assert.deepEqual(await agents.currentReleases(prod), []);
  const again = await client.createAgent({ body: { name: "desk" } });
  assert.equal((await client.listAgentVersions({ params: { agent_id: again.id } })).total, 0);
  await client.deleteEnvironment({ params: { environment_id: "prod" } });
});

test("an agent with a linked app is not deleted", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const app = await client.createApp({ body: { name: "ui", agent: "desk" } });
  const linked = await refusal(client.deleteAgent({ params: { agent_id: id } }));
  assert.equal(linked.status, 409);
  assert.match(linked.detail, /"ui"/);
  await client.deleteApp({ params: { app_id: app.id } });
  await client.deleteAgent({ params: { agent_id: id } });
});

test("an app linked while its agent is deleted is refused, or keeps the agent", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  for (let n = 0; n < 10; n++) {
    const { id } = await client.createAgent({ body: { name: `a${n}` } });
    await client.createAgentVersion({ params: { agent_id: id }, body: { version: "1" } });
    const [app, version, gone] = await Promise.allSettled([
      client.createApp({ body: { name: `ui${n}`, agent: id } }),
      client.createAgentVersion({ params: { agent_id: id }, body: { version: "2" } }),
      client.deleteAgent({ params: { agent_id: id } }),
    ]);
    assert.notEqual(app.status, gone.status);
    if (app.status === "rejected") assert.equal(app.reason.status, 404);
    if (version.status === "rejected") assert.equal(version.reason.status, 404);
    if (gone.status === "rejected") assert.equal(gone.reason.status, 409);
  }
});

test("If-Match keeps a stale copy from deleting", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const { body, etag } = await client.withResponse.createAgent({ body: { name: "desk" } });
  await client.retryComponent({ body: { agent_id: body.id, component: "chat" } });
  const call = { params: { agent_id: body.id }, ...(etag !== undefined && { ifMatch: etag }) };
  assert.equal((await refusal(client.deleteAgent(call))).status, 412);
});

test("any string is a name", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  for (const name of ["\0", "a\0b", "😀", '"', "stop", "x".repeat(5000), unknownId]) {
    const made = await client.createAgent({ body: { name, aliases: [`${name}\0`] } });
    assert.equal(made.name, name);
    const { agent } = await client.retryComponent({ body: { agent_id: `${name}\0`, component: "chat" } });
    assert.equal(agent.id, made.id);
  }
});
