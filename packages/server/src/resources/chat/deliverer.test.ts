import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { pino } from "pino";
import { createRetention, type RetentionSource } from "../../core/retention/retention.ts";
import { testOutbox } from "../../testing/outbox.ts";
import { engines } from "../../testing/server.ts";
import { createDeliveryRetention } from "./delivery-retention.ts";
import { createDeliveryRows } from "./delivery-rows.ts";
import { type TestChat, testChat } from "./test-chat.ts";
import { startReceiver } from "./test-receiver.ts";

/** A release that every channel is notified of, such as that of an agent. */
const release = (fixture: TestChat, version: string) =>
  fixture.emit("agent.release_activated", "agent/a", { name: "desk", version });
const versionsOf = (lines: readonly string[]) => lines.map((line) => /desk (\S+)/.exec(line)?.[1]);

/** One run of retention, without an archive. */
const retain = ({ deps }: Pick<TestChat, "deps">, source: RetentionSource) =>
  createRetention(deps, {
    now: deps.system.now,
    sources: [source],
    archive: undefined,
    mayRun: () => true,
    log: pino({ level: "silent" }),
  }).run();

for (const engine of engines) {
  suite(`chat deliveries on ${engine}`, () => {
    test("a channel gets its messages sequentially, in the order of the events", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      const binding = await fixture.bind(`${receiver.url}/one`);
      await fixture.bind(`${receiver.url}/two`, { channel_id: "C2" });
      for (const version of ["1", "2", "3"]) await release(fixture, version);
      let open = 0;
      receiver.respond = async ({ path }) => {
        if (path === "/one") assert.equal(++open, 1);
        await new Promise((next) => setImmediate(next));
        if (path === "/one") open--;
        return { status: 200 };
      };
      await fixture.advance(1);
      assert.deepEqual(versionsOf(receiver.firstLines("/one")), ["1", "2", "3"]);
      assert.deepEqual(versionsOf(receiver.firstLines("/two")), ["1", "2", "3"]);
      assert.equal(new Set(receiver.ids()).size, 6);
      const delivered = (await fixture.deliveries("delivered")).filter(
        ({ binding_id }) => binding_id === binding.id,
      );
      assert.deepEqual(
        delivered.map(({ id }) => id),
        receiver.ids("/one"),
      );
      const [first] = delivered;
      assert.deepEqual([first?.attempts, first?.status, first?.error, first?.next_at], [1, 200, null, null]);
      await fixture.advance(3600);
      assert.equal(receiver.received.length, 6);
    });

    test("a failed message is retried with the same id and growing pauses, and later messages wait", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      receiver.respond = () => ({ status: 503 });
      await release(fixture, "1");
      await release(fixture, "2");
      await fixture.advance(0);
      const [first, second] = await fixture.deliveries("waiting");
      assert.deepEqual([first?.attempts, first?.status, second?.attempts], [1, 503, 0]);
      assert.equal(first?.error, "The host 127.0.0.1 answered with 503.");
      // One second, minus a random part of up to a half.
      const wait = Date.parse(first?.next_at ?? "") - fixture.deps.system.now().getTime();
      assert.ok(wait >= 500 && wait <= 1000, String(wait));
      await fixture.advance(0.4);
      assert.equal(receiver.received.length, 1);
      await fixture.advance(0.6);
      assert.equal(receiver.received.length, 2);
      receiver.respond = () => ({ status: 200 });
      await fixture.advance(2);
      assert.deepEqual(versionsOf(receiver.firstLines()), ["1", "1", "1", "2"]);
      assert.deepEqual(new Set(receiver.ids().slice(0, 3)), new Set([first?.id]));
    });

    test("Retry-After delays the next attempt by up to an hour", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      const retryAfter = (seconds: number | string) => () => ({
        status: 429,
        headers: { "retry-after": String(seconds) },
      });
      receiver.respond = retryAfter(90);
      await release(fixture, "1");
      await fixture.advance(0);
      await fixture.advance(89);
      assert.equal(receiver.received.length, 1);
      receiver.respond = retryAfter(new Date(fixture.deps.system.now().getTime() + 61_000).toUTCString());
      await fixture.advance(1);
      await fixture.advance(58);
      assert.equal(receiver.received.length, 2);
      receiver.respond = retryAfter(86_400);
      await fixture.advance(2);
      await fixture.advance(3599);
      assert.equal(receiver.received.length, 3);
      receiver.respond = () => ({ status: 204 });
      await fixture.advance(1);
      assert.equal((await fixture.deliveries("delivered")).length, 1);
    });

    test("after a permanent error or too many attempts a message is dead, and the next one is sent", async (t) => {
      const fixture = await testChat(t, { engine, settings: { PLATFORM_CHAT_ATTEMPTS: "3" } });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      receiver.respond = () => ({ status: 404 });
      await release(fixture, "1");
      await fixture.advance(0);
      receiver.respond = ({ text }) => ({ status: text.includes("desk 2") ? 500 : 200 });
      await release(fixture, "2");
      await release(fixture, "3");
      for (let n = 0; n < 3; n++) await fixture.advance(10);
      assert.deepEqual(versionsOf(receiver.firstLines()), ["1", "2", "2", "2", "3"]);
      const dead = await fixture.deliveries("dead");
      assert.deepEqual(
        dead.map(({ attempts, status, next_at }) => [attempts, status, next_at]),
        [
          [1, 404, null],
          [3, 500, null],
        ],
      );
      receiver.respond = () => ({ status: 200 });
      const again = await fixture.chat.deliveries.retry(dead[1]?.id ?? "", fixture.context());
      assert.deepEqual([again.state, again.attempts], ["waiting", 0]);
      await fixture.advance(0);
      assert.equal(receiver.ids().at(-1), dead[1]?.id);
      await assert.rejects(
        fixture.chat.deliveries.retry(dead[1]?.id ?? "", fixture.context()),
        /was already delivered/,
      );
      await assert.rejects(
        fixture.chat.deliveries.retry("unknown", fixture.context()),
        /There is no delivery unknown/,
      );
    });

    test("a message that waited for more than a day is dead without an attempt, and can be retried", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      await release(fixture, "1");
      fixture.deps.system.advance(86_400_000);
      await release(fixture, "2");
      await fixture.advance(1);
      assert.deepEqual(versionsOf(receiver.firstLines()), ["2"]);
      const [old] = await fixture.deliveries("dead");
      assert.equal(old?.error, "The message waited for more than a day.");
      await fixture.chat.deliveries.retry(old?.id ?? "", fixture.context());
      await fixture.advance(0);
      assert.deepEqual(versionsOf(receiver.firstLines()), ["2", "1"]);
    });

    test("a slow channel does not delay other channels", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(`${receiver.url}/slow`);
      await fixture.bind(`${receiver.url}/quick`, { channel_id: "C2" });
      const { promise, resolve } = Promise.withResolvers<void>();
      receiver.respond = async ({ path }) => {
        if (path === "/slow") await promise;
        return { status: 200 };
      };
      await release(fixture, "1");
      await release(fixture, "2");
      const ticking = fixture.advance(0);
      await until(
        () => receiver.firstLines("/quick").length === 2 && receiver.firstLines("/slow").length > 0,
      );
      assert.equal(receiver.firstLines("/slow").length, 1);
      resolve();
      await ticking;
      assert.equal(receiver.firstLines("/slow").length, 2);
    });

    test("after a crash between sending and recording, the message is sent again with the same id", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      const { promise, resolve } = Promise.withResolvers<void>();
      receiver.respond = async () => {
        if (receiver.received.length === 1) await promise;
        return { status: 200 };
      };
      await release(fixture, "1");
      const first = fixture.advance(0);
      await until(() => receiver.received.length === 1);
      const next = await fixture.startAnother();
      // On PostgreSQL, the lease of the first server must have expired.
      await next.advance(16);
      assert.deepEqual(versionsOf(receiver.firstLines()), ["1", "1"]);
      const [a, b] = receiver.ids();
      assert.equal(a, b);
      // The response to the first server is too late to count.
      resolve();
      await first;
      const all = await fixture.deliveries();
      assert.deepEqual(
        all.map(({ state, attempts }) => [state, attempts]),
        [["delivered", 1]],
      );
    });

    test("events from before a server's start are delivered once", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      await release(fixture, "1");
      await fixture.advance(0);
      await fixture.chat.stop();
      await release(fixture, "2");
      const next = await fixture.startAnother();
      await next.advance(16);
      await next.advance(16);
      assert.deepEqual(versionsOf(receiver.firstLines()), ["1", "2"]);
    });

    test("removing a binding removes its waiting messages", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      const { id } = await fixture.bind(receiver.url);
      receiver.respond = () => ({ status: 500 });
      await release(fixture, "1");
      await fixture.advance(0);
      await fixture.chat.bindings.remove(id, fixture.context());
      assert.deepEqual(await fixture.deliveries(), []);
      await fixture.advance(60);
      assert.equal(receiver.received.length, 1);
    });

    test("only the newest delivered messages of a channel are kept", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      for (const version of ["1", "2", "3"]) await release(fixture, version);
      await fixture.advance(0);
      const rows = createDeliveryRows(fixture.deps.store, testOutbox(fixture.deps));
      await retain(fixture, createDeliveryRetention(fixture.deps, rows, 2));
      assert.deepEqual(versionsOf((await fixture.deliveries()).map(({ text }) => text)), ["2", "3"]);
    });

    test("delivered messages are kept for 7 days, dead ones for 30", async (t) => {
      const fixture = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await fixture.bind(receiver.url);
      receiver.respond = ({ text }) => ({ status: text.includes("desk 1") ? 410 : 200 });
      await release(fixture, "1");
      await release(fixture, "2");
      await fixture.advance(0);
      const kept = async (days: number) => {
        fixture.deps.system.advance(days * 86_400_000);
        await retain(fixture, fixture.chat.retention);
        return (await fixture.deliveries()).map(({ state }) => state);
      };
      assert.deepEqual(await kept(7), ["dead", "delivered"]);
      assert.deepEqual(await kept(1), ["dead"]);
      assert.deepEqual(await kept(23), []);
    });
  });
}

test("of several servers on one PostgreSQL database only the lease holder delivers", async (t) => {
  const one = await testChat(t, { engine: "postgres" });
  const receiver = await startReceiver(t);
  await one.bind(receiver.url);
  await one.advance(0);
  const two = await one.startAnother();
  await release(two, "1");
  await two.advance(0);
  assert.equal(receiver.received.length, 0);
  await one.advance(0);
  assert.equal(receiver.received.length, 1);
  await release(one, "2");
  await two.advance(16);
  assert.deepEqual(versionsOf(receiver.firstLines()), ["1", "2"]);
  await release(one, "3");
  await one.advance(0);
  assert.equal(receiver.received.length, 2);
  await two.advance(0);
  assert.deepEqual(versionsOf(receiver.firstLines()), ["1", "2", "3"]);
});
