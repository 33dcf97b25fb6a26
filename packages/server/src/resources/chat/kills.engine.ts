import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../testing/process.ts";
import { enginesOfSlowSuites } from "../../testing/server.ts";
import { startReceiver } from "./test-receiver.ts";

/** On PostgreSQL, a killed server does not release its lease: the next server waits until the lease expires. */
const settings = { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1", PLATFORM_LEASE_SECONDS: "3" };

for (const engine of enginesOfSlowSuites) {
  test(`a server is killed with messages in flight: all are delivered in order, on ${engine}`, async (t) => {
    const home = await testHome(t, engine);
    const receiver = await startReceiver(t);
    const { promise: never } = Promise.withResolvers<never>();
    receiver.respond = () => (receiver.received.length === 2 ? never : { status: 200 });
    const first = await startProcess(t, home, settings);
    await first.client.createAutomation({ body: { alias: "orders-daily" } });
    await first.client.bindChat({ body: { channel_id: "ops", channel_url: receiver.url } });
    const release = (version: string) =>
      first.client.syncAutomationRelease({
        body: { automation_alias: "orders-daily", environment: "dev", metadata: { version } },
      });
    for (const version of ["1", "2", "3"]) await release(version);
    await until(() => receiver.received.length === 2);
    first.child.kill("SIGKILL");
    await first.ended;
    await startProcess(t, home, settings);
    await until(() => receiver.received.length === 4);
    const versions = receiver.firstLines().map((line) => /orders-daily (\S+)/.exec(line)?.[1]);
    assert.deepEqual(versions, ["1", "2", "2", "3"]);
    const [, second, again] = receiver.ids();
    assert.equal(second, again);
  });

  test(`an automation's failures and recovery are sent to its channels, on ${engine}`, async (t) => {
    const home = await testHome(t, engine);
    const [receiver, called] = [await startReceiver(t), await startReceiver(t)];
    const { client } = await startProcess(t, home, settings);
    const body = {
      alias: "orders-daily",
      definition: {
        version: 1,
        description: "",
        tasks: [{ name: "ask", kind: "http" as const, url: called.url }],
        notifications: { on_success: ["success"], on_failure: [], on_recovery: [] },
      },
    };
    await client.createAutomation({ body });
    await client.bindChat({ body: { channel_id: "ops", channel_url: `${receiver.url}/ops` } });
    await client.bindChat({
      body: {
        channel_id: "success",
        channel_url: `${receiver.url}/success`,
        automation_alias: "orders-daily",
      },
    });
    await client.syncAutomationRelease({
      body: { automation_alias: "orders-daily", environment: "dev", metadata: { version: "1" } },
    });
    const run = async (status: number) => {
      called.respond = () => ({ status });
      const { id } = await client.runAutomation({
        params: { automation_alias: "orders-daily" },
        environment: "dev",
        body: {},
      });
      await until(async () => (await client.getRun({ params: { run_id: id } })).ended_at !== null);
      return id;
    };
    const failed = await run(400);
    await run(400);
    await run(200);
    await run(200);
    await until(
      () => receiver.firstLines("/ops").length === 4 && receiver.firstLines("/success").length === 5,
    );
    const [, ...lines] = receiver.firstLines("/ops");
    assert.deepEqual(lines, [
      "orders-daily failed in dev.",
      "orders-daily failed in dev, 2 times in a row.",
      "orders-daily has recovered in dev: it succeeded after 2 failed runs.",
    ]);
    assert.equal(receiver.firstLines("/success").at(-1), "orders-daily succeeded in dev.");
    const message = JSON.parse(receiver.received.find(({ text }) => text.includes("failed"))?.text ?? "");
    assert.equal(message.data.run_id, failed);
    assert.match(message.text, /\nError: .*400/);
    assert.match(message.text, new RegExp(`Log: GET /api/v1/runs/${failed}/log$`));
  });
}
