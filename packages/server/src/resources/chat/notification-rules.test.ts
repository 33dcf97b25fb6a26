import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Run } from "@lakehelm/contract";
import { notFound } from "../../core/errors.ts";
import { type TestChat, type TestChatOptions, testChat } from "./test-chat.ts";
import { startReceiver, type TestReceiver } from "./test-receiver.ts";

const engine = "sqlite";

/** An automation with its own channel, and a channel that is notified of everything. */
async function given(t: TestContext, options: Partial<TestChatOptions> = {}) {
  const at = await testChat(t, { engine, ...options });
  const receiver = await startReceiver(t);
  const creating = { context: at.by(), saveAnswer: () => [] };
  const { id } = await at.registry.create({ alias: "orders-daily", description: "" }, creating);
  await at.registry.create({ alias: "other", description: "" }, creating);
  await at.bind(`${receiver.url}/orders`, { channel_id: "orders", automation_alias: "orders-daily" });
  await at.bind(`${receiver.url}/other`, { channel_id: "other", automation_alias: "other" });
  await at.bind(`${receiver.url}/all`, { channel_id: "all" });
  return { at, receiver, automation: `automation/${id}` };
}

/** The whole text of the last message to a path. */
const lastTo = ({ received }: TestReceiver, path: string) => {
  const found = received.findLast((one) => one.path === path);
  assert.ok(found, `nothing came to ${path}`);
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

test("releases, refused jobs, pauses and resumptions are told in words", async (t) => {
  const { at, receiver, automation } = await given(t);
  const { name } = at.environment;
  const release = { release_id: "r", version: "1.4.0" };
  const told = async (kind: string, data: Record<string, unknown>, actor?: string) => {
    await at.happen(kind, automation, { ...release, ...data }, actor);
    await at.pass(0);
    return lastTo(receiver, "/orders").text;
  };
  assert.equal(
    await told("automation.release_activated", { replaced: "1.3.0" }),
    `orders-daily 1.4.0 is current in ${name} since ${noon}, in place of 1.3.0, released by ada.`,
  );
  assert.equal(
    await told("automation.job_refused", { asked: "job.install", reason: "It has no cluster." }),
    `The platform refused job.install for orders-daily 1.4.0 in ${name}, at ${noon}.\nReason: It has no cluster.`,
  );
  assert.equal(
    await told("automation.schedule_paused", { reason: "maintenance", until: null }),
    `orders-daily is paused in ${name} since ${noon}, until it is resumed, by ada.\nReason: maintenance`,
  );
  assert.equal(
    await told("automation.schedule_resumed", {}),
    `orders-daily goes on in ${name} since ${noon}, resumed by ada.`,
  );
  assert.equal(
    await told("automation.schedule_resumed", {}, "scheduler"),
    `orders-daily goes on in ${name} since ${noon}, as the time of its pause is over.`,
  );
  assert.equal(
    await told("automation.release_deleted", {}),
    `orders-daily 1.4.0 was taken out of ${name} at ${noon}, by ada.`,
  );
  assert.equal(receiver.heard("/orders").length, 6);
  assert.deepEqual(receiver.heard("/all"), receiver.heard("/orders"));
  assert.deepEqual(receiver.heard("/other"), []);
  await at.happen("agent.release_activated", "agent/a", { name: "desk", version: "2" });
  await at.happen("automation.definition_set", automation, {});
  await at.pass(0);
  assert.match(receiver.heard("/all").at(-1) ?? "", /^The agent desk 2 is current/);
  assert.equal(receiver.received.length, 13);
});

test("failures say since when, why and where to look; recoveries end them; plain successes are not told", async (t) => {
  const run = { started_at: "2026-03-01T11:59:00.000Z", cause: { trigger: "cron" } } as Run;
  const { at, receiver, automation } = await given(t, { run: async () => run });
  const { name } = at.environment;
  const error = "Table shop.orders is not there.\n  at line 3";
  await at.happen(
    "run.failed",
    "run/r-1",
    runData(automation, { error, failures: 3, metrics: { tasks: [] } }),
  );
  await at.happen("run.succeeded", "run/r-2", runData(automation, { recovered: 3 }));
  await at.happen("run.succeeded", "run/r-3", runData(automation));
  await at.happen("run.failed", "run/r-4", runData("connector/c-1", { error: "" }));
  await at.pass(0);
  assert.deepEqual(receiver.heard("/orders"), [
    `orders-daily failed in ${name}, 3 times in a row.`,
    `orders-daily has recovered in ${name}: it succeeded after 3 failed runs.`,
  ]);
  assert.deepEqual(receiver.heard("/all"), [
    ...receiver.heard("/orders"),
    `The connector orders-in failed in ${name}.`,
  ]);
  const [failed] = receiver.received.filter(({ path }) => path === "/orders");
  const { text, data, automation: alias } = JSON.parse(failed?.text ?? "");
  assert.equal(
    text,
    [
      `orders-daily failed in ${name}, 3 times in a row.`,
      `It began at 2026-03-01T11:59:00.000Z and ended at ${noon}.`,
      "Error: Table shop.orders is not there.",
      "Log: GET /api/v1/runs/r-1/log",
    ].join("\n"),
  );
  assert.deepEqual([alias, data.run_id, data.failures, data.metrics], ["orders-daily", "r-1", 3, undefined]);
});

test("channels that a definition names hear of what it says, each once", async (t) => {
  const { at, receiver, automation } = await given(t);
  const notify = { on_success: ["other", "nobody"], on_failure: ["orders", "other"], on_recovery: ["other"] };
  await at.happen("run.succeeded", "run/r-1", runData(automation, { notify }));
  await at.happen("run.failed", "run/r-2", runData(automation, { notify }));
  await at.happen("run.succeeded", "run/r-3", runData(automation, { notify, recovered: 1 }));
  await at.pass(0);
  const { name } = at.environment;
  const recovered = `orders-daily has recovered in ${name}: it succeeded after 1 failed run.`;
  const failed = `orders-daily failed in ${name}.`;
  assert.deepEqual(receiver.heard("/other"), [`orders-daily succeeded in ${name}.`, failed, recovered]);
  assert.deepEqual(receiver.heard("/orders"), [failed, recovered]);
});

test("a run that is a task of an automation is told by the automation alone", async (t) => {
  const run = { started_at: null, cause: { trigger: "automation" } } as Run;
  const { at, receiver } = await given(t, { run: async () => run });
  await at.happen("run.failed", "run/r-1", runData("connector/c-1"));
  await at.pass(0);
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
  const { at, receiver } = await given(t, {
    pipelineNotifications: async (id) => (id === "p-1" ? notifications : null),
    settings: { PLATFORM_MAIL_WEBHOOK_URL: `${mails.url}/mail`, PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" },
  });
  const { name } = at.environment;
  const ended = (kind: string, id = "p-1") => at.happen(kind, "run/r", runData(`pipeline/${id}`));
  await ended("run.failed");
  await ended("run.succeeded");
  await ended("run.succeeded", "p-2");
  await at.pass(0);
  const read = mails.received.map(({ text }) => JSON.parse(text) as { to: string[]; subject: string });
  assert.deepEqual(
    read.map(({ to, subject }) => [to, subject]),
    [
      [["ada@example.com", "bob@example.com"], `The pipeline orders-in failed in ${name}.`],
      [["ada@example.com"], `The pipeline orders-in succeeded in ${name}.`],
    ],
  );
  assert.deepEqual(receiver.heard("/other"), [`The pipeline orders-in succeeded in ${name}.`]);
  assert.equal((await at.deliveries("delivered")).filter(({ binding_id }) => binding_id === null).length, 2);
});

test("without somebody to send mails none wait; of a pipeline that is gone nobody asked for any", async (t) => {
  const { at, receiver } = await given(t, {
    pipelineNotifications: async (id) => {
      if (id === "gone") throw notFound("There is no pipeline gone.");
      return notifications;
    },
  });
  await at.happen("run.failed", "run/r", runData("pipeline/p-1"));
  await at.happen("run.failed", "run/r", runData("pipeline/gone"));
  await at.pass(0);
  assert.equal((await at.deliveries()).length, 2);
  assert.equal(receiver.heard("/all").length, 2);
});

test("an update that only validated a pipeline is not told", async (t) => {
  const run = { started_at: null, cause: { trigger: "manual", parameters: { validate_only: true } } };
  const { at } = await given(t, { run: async () => run as unknown as Run });
  await at.happen("run.failed", "run/r", runData("pipeline/p-1"));
  await at.pass(0);
  assert.deepEqual(await at.deliveries(), []);
});

test("a channel hears of what happens after it was bound, and only where it was bound", async (t) => {
  const at = await testChat(t, { engine });
  const receiver = await startReceiver(t);
  const happen = (at: TestChat, version: string) =>
    at.happen("agent.release_activated", "agent/a", { name: "desk", version });
  await happen(at, "1");
  at.deps.system.pass(1);
  await at.bind(receiver.url);
  await happen(at, "2");
  await at.bind(null, { channel_id: "silent" });
  await at.happen("agent.release_activated", "agent/a", { version: "3", environment_id: "elsewhere" });
  await at.pass(0);
  assert.equal(receiver.received.length, 1);
  assert.match(receiver.heard()[0] ?? "", / 2 is current/);
});

test("agents post into the same order, under an id of theirs", async (t) => {
  const { at, receiver } = await given(t);
  const { id: environmentId } = at.environment;
  const say = async (text: string, id: string) => {
    const by = at.by();
    const { steps, events } = await at.chat.posting.post(environmentId, "all", text, { id, time: by.time });
    await at.deps.store.apply({ context: by, steps, events });
  };
  await say("17 orders today.", "m-1");
  await say("18 by now.", "m-2");
  await assert.rejects(say("Again.", "m-1"), /duplicate/);
  await at.pass(0);
  assert.deepEqual(receiver.heard("/all"), ["17 orders today.", "18 by now."]);
  assert.deepEqual(receiver.ids("/all"), ["m-1", "m-2"]);
  const post = (channel: string) =>
    at.chat.posting.post(environmentId, channel, "Hello", { id: "m-3", time: at.by().time });
  await assert.rejects(post("nowhere"), /Channel nowhere is not bound in qa-/);
  await at.bind(null, { channel_id: "silent" });
  await assert.rejects(post("silent"), /has no channel_url/);
});

test("a secret reference as an address is looked up when a message is sent", async (t) => {
  const at = await testChat(t, { engine });
  const receiver = await startReceiver(t);
  await at.bind("{{secrets/chat/hook}}", { metadata: { kind: "slack" } });
  await at.happen("agent.release_activated", "agent/a", { name: "desk", version: "1" });
  await at.pass(0);
  const [waiting] = await at.deliveries("waiting");
  assert.equal(waiting?.error, "There is no secret chat/hook in this environment.");
  assert.equal(receiver.received.length, 0);
});

test("an address that came to lead into a private network is put aside at once", async (t) => {
  const at = await testChat(t, { engine });
  const receiver = await startReceiver(t);
  await at.bind(receiver.url);
  await at.happen("agent.release_activated", "agent/a", { name: "desk", version: "1" });
  const strict = await at.another({ PLATFORM_PRIVATE_ADDRESSES: "" });
  await strict.pass(0);
  assert.match((await strict.deliveries("dead"))[0]?.error ?? "", /is in a private network/);
  assert.equal(receiver.received.length, 0);
});
