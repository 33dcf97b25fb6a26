import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { startReceiver } from "./test-receiver.ts";

for (const engine of engines) {
  suite(`channels through the API on ${engine}`, () => {
    let server: TestServer;
    let ahead = 0;
    before(async () => {
      server = await startTestServer({
        engine,
        settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" },
        now: () => new Date(Date.now() + ahead),
      });
    });
    after(() => server.close());

    async function given(t: Parameters<typeof startReceiver>[0]) {
      const { client } = server;
      const receiver = await startReceiver(t);
      const [environment, alias] = [unique("qa"), unique("orders")];
      await client.createEnvironment({ body: { name: environment } });
      await client.createAutomation({ body: { alias } });
      const { binding } = await client.bindChat({
        body: {
          environment,
          channel_id: "ops",
          channel_url: `${receiver.url}/s3cret`,
          automation_alias: alias,
        },
      });
      const release = (version: string) =>
        server.client.syncAutomationRelease({
          body: { automation_alias: alias, environment, metadata: { version } },
        });
      return { client, receiver, environment, alias, binding, release };
    }

    test("a channel gets a message for each release and pause, in order", async (t) => {
      const { client, receiver, environment, alias, release } = await given(t);
      const set = (action: "pause" | "resume") =>
        client.setSchedule({ params: { automation_alias: alias, action }, environment });
      await release("1.0.0");
      await set("pause");
      await release("1.1.0");
      await set("resume");
      await until(() => receiver.received.length === 4);
      const shape = (line: string) => line.replace(/ at \S+/, " at …");
      assert.deepEqual(receiver.firstLines().map(shape), [
        `${alias} 1.0.0 was released in ${environment} at … by internal-service.`,
        `${alias} was paused in ${environment} at … by internal-service, until it is resumed.`,
        `${alias} 1.1.0 was released in ${environment} at … by internal-service, replacing 1.0.0.`,
        `${alias} was resumed in ${environment} at … by internal-service.`,
      ]);
    });

    test("a channel gets a message when a pause ends", async (t) => {
      const { client, receiver, alias, release } = await given(t);
      await release("1");
      const end = new Date(Date.now() + ahead + 60_000).toISOString();
      const params = { automation_alias: alias, action: "pause" as const };
      await client.setSchedule({ params, body: { until: end } });
      ahead += 61_000;
      await server.server.tick();
      await until(() => receiver.received.length === 3);
      assert.match(receiver.firstLines()[1] ?? "", new RegExp(` by internal-service, until ${end}`));
      assert.match(receiver.firstLines()[2] ?? "", / because its pause ended\.$/);
    });

    test("a test message is sent at once, and the response shows the channel's answer", async (t) => {
      const { client, receiver, environment, binding } = await given(t);
      const params = { binding_id: binding.id };
      assert.deepEqual(await client.testBinding({ params }), {
        success: true,
        message: "Channel ops accepted the test message.",
        status: 200,
      });
      assert.match(receiver.firstLines()[0] ?? "", /^A test message from Lakehelm, sent by internal-service/);
      receiver.respond = () => ({ status: 403 });
      assert.deepEqual(await client.testBinding({ params }), {
        success: false,
        message: "Channel ops did not accept the test message. The host 127.0.0.1 answered with 403.",
        status: 403,
      });
      await refused(
        client.testBinding({ params: { binding_id: "unknown" } }),
        404,
        /no chat binding unknown/,
      );
      const silent = await client.bindChat({ body: { environment, channel_id: "silent" } });
      await refused(client.testBinding({ params: { binding_id: silent.binding.id } }), 409, /no channel_url/);
      assert.deepEqual((await client.listDeliveries({ environment })).deliveries, []);
    });

    test("if the address is a secret reference, errors do not even name its host", async (t) => {
      const { client, receiver, environment } = await given(t);
      const { binding } = await client.bindChat({
        body: { environment, channel_id: "hidden", channel_url: "{{secrets/chat/hook}}" },
      });
      const messageWith = async (value: string) => {
        const params = { scope: "chat", key: "hook" };
        await client.putSecret({ params, body: { value }, environment });
        return (await client.testBinding({ params: { binding_id: binding.id } })).message;
      };
      assert.match(
        await messageWith("http://s3cret.invalid/s3cret"),
        /Its host (was not found|could not be looked up)\.$/,
      );
      assert.match(await messageWith("http://10.11.12.13/s3cret"), /Its host is in a private network\./);
      assert.match(await messageWith("s3cret"), /It is not a URL/);
      receiver.respond = () => ({ status: 403 });
      const message = await messageWith(receiver.url);
      assert.match(message, /Its host answered with 403\.$/);
      const rows = JSON.stringify([await server.rows(), server.logged]);
      assert.doesNotMatch(rows, /s3cret\.invalid|10\.11\.12\.13/);
    });

    test("dead deliveries are listed without addresses and can be retried", async (t) => {
      const { client, receiver, environment, binding, release } = await given(t);
      receiver.respond = () => ({ status: 410 });
      await release("1");
      await release("2");
      const dead = async () =>
        (await client.listDeliveries({ environment, query: { state: "dead" } })).deliveries;
      await until(async () => (await dead()).length === 2);
      const page = await client.listDeliveries({ query: { binding: binding.id, limit: 1 } });
      const [newest] = page.deliveries;
      assert.match(newest?.text ?? "", / 2 was released/);
      assert.deepEqual(
        [newest?.state, newest?.attempts, newest?.status, newest?.channel_id, newest?.binding_id],
        ["dead", 1, 410, "ops", binding.id],
      );
      const before = page.next_before ?? 0;
      const rest = await client.listDeliveries({ query: { binding: binding.id, before } });
      const all = [...page.deliveries, ...rest.deliveries];
      const counted = async (query: Record<string, string>) =>
        (await client.listDeliveries({ query: { binding: binding.id, ...query } })).deliveries.length;
      assert.equal(await counted({ search: String(all[0]?.channel_id).toUpperCase() }), all.length);
      assert.equal(await counted({ search: "nothing has this" }), 0);
      assert.equal(await counted({ created_after: "2020-01-01" }), all.length);
      assert.equal(await counted({ created_before: "2020-01-01" }), 0);
      assert.match(rest.deliveries[0]?.text ?? "", / 1 was released/);
      assert.equal(rest.next_before, null);
      const oldest = { binding: binding.id, sort: "created", limit: 1 } as const;
      const firstPage = await client.listDeliveries({ query: oldest });
      const secondPage = await client.listDeliveries({
        query: { ...oldest, cursor: firstPage.next_cursor ?? "" },
      });
      assert.deepEqual(
        [...firstPage.deliveries, ...secondPage.deliveries].map(({ id }) => id),
        all.map(({ id }) => id).toReversed(),
      );
      assert.deepEqual([firstPage.next_before, secondPage.next_cursor], [null, null]);
      assert.doesNotMatch(JSON.stringify([page, rest, server.logged]), /s3cret/);
      assert.equal((await server.events("delivery.dead", `delivery/${newest?.id}`)).length, 1);

      receiver.respond = () => ({ status: 200 });
      const again = await client.retryDelivery({ params: { delivery_id: newest?.id ?? "" } });
      assert.equal(again.state, "waiting");
      await until(async () => (await dead()).length === 1);
      assert.deepEqual(receiver.ids().at(-1), newest?.id);
    });

    test("a waiting message is delivered after a restart, with the same id", async (t) => {
      const { receiver, release } = await given(t);
      receiver.respond = () => ({ status: 503 });
      await release("1");
      await until(() => receiver.received.length === 1);
      server = await server.restart(undefined, () => {
        receiver.respond = () => ({ status: 200 });
      });
      await until(() => receiver.received.length > 1);
      await release("2");
      await until(() => receiver.received.length > 2);
      const [first, again] = receiver.ids();
      assert.equal(first, again);
      assert.match(receiver.firstLines().at(-1) ?? "", / 2 was released/);
    });
  });
}
