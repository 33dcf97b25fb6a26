import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Run } from "@lakehelm/contract";
import { notFound } from "../../core/errors.ts";
import { type TestChat, type TestChatOptions, testChat } from "./test-chat.ts";
import { startReceiver, type TestReceiver } from "./test-receiver.ts";

const engine = "sqlite";

/** An automation with its own channel, and a channel that is notified of everything. */
async function given(t: TestContext, options: Partial<TestChatOptions> = {}) {
  const fixture = await testChat(t, { engine, ...options });
  const receiver = await startReceiver(t);
  const request = { context: fixture.context(), saveAnswer: () => [] };
  const { id } = await fixture.registry.create({ alias: "orders-daily", description: "" }, request);
  await fixture.registry.create({ alias: "other", description: "" }, request);
  await fixture.bind(`${receiver.url}/orders`, { channel_id: "orders", automation_alias: "orders-daily" });
  await fixture.bind(`${receiver.url}/other`, { channel_id: "other", automation_alias: "other" });
  await fixture.bind(`${receiver.url}/all`, { channel_id: "all" });
  return { at: fixture, receiver, automation: `automation/${id}` };
}

/** The whole text of the last message to a path. */
const lastTo = ({ received }: TestReceiver, path: string) => {
  const found = received.findLast((one) => one.path === path);
  assert.ok(found, `no message was sent to ${path}`);
  return JSON.parse(found.text) as { text: string; data: Record<string, unknown>; automation: string | null };
};

const noon = "2026-03-01T12:00:00.000Z";
const runData = (subject: string, more: Record<string, unknown> = {}) => ({
  job_id: "job-1",
  kind: subject.split("/")[0],
  subject,
  name: "orders-in",
  ...more,
});

test("releases, refused jobs, pauses and resumptions have a message each", async (t) => {
  const { at: fixture, receiver, automation } = await given(t);
  const { name } = fixture.environment;
  const release = { release_id: "r", version: "1.4.0" };
  const messageFor = async (kind: string, data: Record<string, unknown>, actor?: string) => {
    await fixture.emit(kind, automation, { ...release, ...data }, actor);
    await fixture.advance(0);
    return lastTo(receiver, "/orders").text;
  };
  assert.equal(
    await messageFor("automation.release_activated", { replaced: "1.3.0" }),
    `orders-daily 1.4.0 was released in ${name} at ${noon} by ada, replacing 1.3.0.`,
  );
  assert.equal(
    await messageFor("automation.job_refused", { asked: "job.install", reason: "It has no cluster." }),
    `The platform refused job.install for orders-daily 1.4.0 in ${name} at ${noon}.\nReason: It has no cluster.`,
  );
  assert.equal(
    await messageFor("automation.schedule_paused", { reason: "maintenance", until: null }),
    `orders-daily was paused in ${name} at ${noon} by ada, until it is resumed.\nReason: maintenance`,
  );
  assert.equal(
    await messageFor("automation.schedule_resumed", {}),
    `orders-daily was resumed in ${name} at ${noon} by ada.`,
  );
  assert.equal(
    await messageFor("automation.schedule_resumed", {}, "scheduler"),
    `orders-daily was resumed in ${name} at ${noon} because its pause ended.`,
  );
  assert.equal(
    await messageFor("automation.release_deleted", {}),
    `orders-daily 1.4.0 was removed from ${name} at ${noon} by ada.`,
  );
  assert.equal(receiver.firstLines("/orders").length, 6);
  assert.deepEqual(receiver.firstLines("/all"), receiver.firstLines("/orders"));
  assert.deepEqual(receiver.firstLines("/other"), []);
  await fixture.emit("agent.release_activated", "agent/a", { name: "desk", version: "2" });
  await fixture.emit("automation.definition_set", automation, {});
  await fixture.advance(0);
  assert.match(receiver.firstLines("/all").at(-1) ?? "", /^The agent desk 2 was released/);
  assert.equal(receiver.received.length, 13);
});

test("a failure message has times, error and log; a recovery has one too; a plain success has none", async (t) => {
  const run = { started_at: "2026-03-01T11:59:00.000Z", cause: { trigger: "cron" } } as Run;
  const { at: fixture, receiver, automation } = await given(t, { run: async () => run });
  const { name } = fixture.environment;
  const error = "Table shop.orders is not there.\n  at line 3";
  await fixture.emit(
    "run.failed",
    "run/r-1",
    runData(automation, { error, failures: 3, metrics: { tasks: [] } }),
  );
  await fixture.emit("run.succeeded", "run/r-2", runData(automation, { recovered: 3 }));
  await fixture.emit("run.succeeded", "run/r-3", runData(automation));
  await fixture.emit("run.failed", "run/r-4", runData("connector/c-1", { error: "" }));
  await fixture.advance(0);
  assert.deepEqual(receiver.firstLines("/orders"), [
    `orders-daily failed in ${name}, 3 times in a row.`,
    `orders-daily has recovered in ${name}: it succeeded after 3 failed runs.`,
  ]);
  assert.deepEqual(receiver.firstLines("/all"), [
    ...receiver.firstLines("/orders"),
    `The connector orders-in failed in ${name}.`,
  ]);
  const [failed] = receiver.received.filter(({ path }) => path === "/orders");
  const { text, data, automation: alias } = JSON.parse(failed?.text ?? "");
  assert.equal(
    text,
    [
      `orders-daily failed in ${name}, 3 times in a row.`,
      `It started at 2026-03-01T11:59:00.000Z and ended at ${noon}.`,
      "Error: Table shop.orders is not there.",
      "Log: GET /api/v1/runs/r-1/log",
    ].join("\n"),
  );
  assert.deepEqual([alias, data.run_id, data.failures, data.metrics], ["orders-daily", "r-1", 3, undefined]);
});

test("messages link to the console if its address is known", async (t) => {
  const settings = { PLATFORM_PUBLIC_URL: "https://lakehelm.example.test/" };
  const { at: fixture, receiver, automation } = await given(t, { settings });
  const { name } = fixture.environment;
  await fixture.emit("run.failed", "run/r-1", runData(automation));
  await fixture.emit("automation.schedule_paused", automation, { alias: "orders-daily" });
  await fixture.advance(0);
  const texts = receiver.received
    .filter(({ path }) => path === "/orders")
    .map(({ text }) => JSON.parse(text).text as string);
  const at = `env=${encodeURIComponent(name)}`;
  assert.deepEqual(texts.map((text) => text.split("\n").at(-1)).sort(), [
    `Console: https://lakehelm.example.test/console/automations/orders-daily?${at}`,
    `Console: https://lakehelm.example.test/console/runs/r-1?${at}`,
  ]);
});

test("a success whose checks failed has a message, also for those who asked for failures", async (t) => {
  const { at: fixture, receiver, automation } = await given(t);
  const { name } = fixture.environment;
  const error = "shop.marts.orders did not pass its checks: 10 orphans.";
  const notify = { on_failure: ["other"] };
  await fixture.emit("run.succeeded", "run/r-1", runData(automation, { notify, error }));
  await fixture.advance(0);
  const first = `orders-daily succeeded in ${name}, but its checks failed.`;
  for (const path of ["/all", "/orders", "/other"]) assert.deepEqual(receiver.firstLines(path), [first]);
  assert.ok(lastTo(receiver, "/all").text.includes(`Error: ${error}`));
});

test("channels in a definition's notifications get the messages that it lists, once each", async (t) => {
  const { at: fixture, receiver, automation } = await given(t);
  const notify = {
    on_success: ["other", "unbound"],
    on_failure: ["orders", "other"],
    on_recovery: ["other"],
  };
  await fixture.emit("run.succeeded", "run/r-1", runData(automation, { notify }));
  await fixture.emit("run.failed", "run/r-2", runData(automation, { notify }));
  await fixture.emit("run.succeeded", "run/r-3", runData(automation, { notify, recovered: 1 }));
  await fixture.advance(0);
  const { name } = fixture.environment;
  const recovered = `orders-daily has recovered in ${name}: it succeeded after 1 failed run.`;
  const failed = `orders-daily failed in ${name}.`;
  assert.deepEqual(receiver.firstLines("/other"), [`orders-daily succeeded in ${name}.`, failed, recovered]);
  assert.deepEqual(receiver.firstLines("/orders"), [failed, recovered]);
});

test("a failed run that is a task of an automation has no message of its own", async (t) => {
  const run = { started_at: null, cause: { trigger: "automation" } } as Run;
  const { at: fixture, receiver } = await given(t, { run: async () => run });
  await fixture.emit("run.failed", "run/r-1", runData("connector/c-1"));
  await fixture.advance(0);
  assert.equal(receiver.received.length, 0);
});

const notifications = [
  { email_recipients: ["ada@example.com", "bob@example.com"], alerts: ["on-update-failure"] },
  { email_recipients: ["ada@example.com"], alerts: ["on-update-failure", "on-update-success"] },
  { channels: ["other"], alerts: ["on-update-success", 7] },
  { alerts: "on-update-failure" },
  "nonsense",
];

test("a pipeline's notifications go to mail addresses and to bound channels", async (t) => {
  const mails = await startReceiver(t);
  const { at: fixture, receiver } = await given(t, {
    pipelineNotifications: async (id) => (id === "p-1" ? notifications : null),
    settings: { PLATFORM_MAIL_WEBHOOK_URL: `${mails.url}/mail`, PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" },
  });
  const { name } = fixture.environment;
  const ended = (kind: string, id = "p-1") => fixture.emit(kind, "run/r", runData(`pipeline/${id}`));
  await ended("run.failed");
  await ended("run.succeeded");
  await ended("run.succeeded", "p-2");
  await fixture.advance(0);
  const read = mails.received.map(({ text }) => JSON.parse(text) as { to: string[]; subject: string });
  assert.deepEqual(
    read.map(({ to, subject }) => [to, subject]),
    [
      [["ada@example.com", "bob@example.com"], `The pipeline orders-in failed in ${name}.`],
      [["ada@example.com"], `The pipeline orders-in succeeded in ${name}.`],
    ],
  );
  assert.deepEqual(receiver.firstLines("/other"), [`The pipeline orders-in succeeded in ${name}.`]);
  assert.equal(
    (await fixture.deliveries("delivered")).filter(({ binding_id }) => binding_id === null).length,
    2,
  );
});

test("no mail is queued without a mail webhook or for a deleted pipeline", async (t) => {
  const { at: fixture, receiver } = await given(t, {
    pipelineNotifications: async (id) => {
      if (id === "gone") throw notFound("There is no pipeline gone.");
      return notifications;
    },
  });
  await fixture.emit("run.failed", "run/r", runData("pipeline/p-1"));
  await fixture.emit("run.failed", "run/r", runData("pipeline/gone"));
  await fixture.advance(0);
  assert.equal((await fixture.deliveries()).length, 2);
  assert.equal(receiver.firstLines("/all").length, 2);
});

test("an update that only validates a pipeline has no message", async (t) => {
  const run = { started_at: null, cause: { trigger: "manual", parameters: { validate_only: true } } };
  const { at: fixture } = await given(t, { run: async () => run as unknown as Run });
  await fixture.emit("run.failed", "run/r", runData("pipeline/p-1"));
  await fixture.advance(0);
  assert.deepEqual(await fixture.deliveries(), []);
});

test("a channel gets messages about events after its binding, in its environment only", async (t) => {
  const fixture = await testChat(t, { engine });
  const receiver = await startReceiver(t);
  const release = (fixture: TestChat, version: string) =>
    fixture.emit("agent.release_activated", "agent/a", { name: "desk", version });
  await release(fixture, "1");
  fixture.deps.system.advance(1);
  await fixture.bind(receiver.url);
  await release(fixture, "2");
  await fixture.bind(null, { channel_id: "silent" });
  await fixture.emit("agent.release_activated", "agent/a", { version: "3", environment_id: "elsewhere" });
  await fixture.advance(0);
  assert.equal(receiver.received.length, 1);
  assert.match(receiver.firstLines()[0] ?? "", / 2 was released/);
});

test("messages of agents are delivered in order, with the ids that the agents chose", async (t) => {
  const { at: fixture, receiver } = await given(t);
  const { id: environmentId } = fixture.environment;
  const post = async (text: string, id: string) => {
    const context = fixture.context();
    const { steps, events } = await fixture.chat.poster.post(environmentId, "all", text, {
      id,
      time: context.time,
    });
    await fixture.deps.store.apply({ context, steps, events });
  };
  await post("17 orders today.", "m-1");
  await post("18 by now.", "m-2");
  await assert.rejects(post("Again.", "m-1"), /duplicate/);
  await fixture.advance(0);
  assert.deepEqual(receiver.firstLines("/all"), ["17 orders today.", "18 by now."]);
  assert.deepEqual(receiver.ids("/all"), ["m-1", "m-2"]);
  const postTo = (channel: string) =>
    fixture.chat.poster.post(environmentId, channel, "Hello", { id: "m-3", time: fixture.context().time });
  await assert.rejects(postTo("nowhere"), /Channel nowhere is not bound in qa-/);
  await fixture.bind(null, { channel_id: "silent" });
  await assert.rejects(postTo("silent"), /has no channel_url/);
});

test("a secret reference as an address is resolved when a message is sent", async (t) => {
  const fixture = await testChat(t, { engine });
  const receiver = await startReceiver(t);
  await fixture.bind("{{secrets/chat/hook}}", { metadata: { kind: "slack" } });
  await fixture.emit("agent.release_activated", "agent/a", { name: "desk", version: "1" });
  await fixture.advance(0);
  const [waiting] = await fixture.deliveries("waiting");
  assert.match(
    waiting?.error ?? "",
    /^There is no secret chat\/hook in this environment\. .*: lakehelm secrets put --env \S+ chat hook$/,
  );
  assert.equal(receiver.received.length, 0);
});

test("a message to an address that is now in a private network is dead at once", async (t) => {
  const fixture = await testChat(t, { engine });
  const receiver = await startReceiver(t);
  await fixture.bind(receiver.url);
  await fixture.emit("agent.release_activated", "agent/a", { name: "desk", version: "1" });
  const strict = await fixture.startAnother({ PLATFORM_PRIVATE_ADDRESSES: "" });
  await strict.advance(0);
  assert.match((await strict.deliveries("dead"))[0]?.error ?? "", /is in a private network/);
  assert.equal(receiver.received.length, 0);
});
