import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { testOutbox } from "../../testing/outbox.ts";
import { engines } from "../../testing/server.ts";
import { createDeliveryRows } from "./delivery-rows.ts";
import { type TestChat, testChat } from "./test-chat.ts";
import { startReceiver } from "./test-receiver.ts";

/** A release that every channel is notified of, such as that of an agent. */
const release = (at: TestChat, version: string) =>
  at.happen("agent.release_activated", "agent/a", { name: "desk", version });
const versionsOf = (heard: readonly string[]) => heard.map((line) => /desk (\S+)/.exec(line)?.[1]);

for (const engine of engines) {
  suite(`delivering on ${engine}`, () => {
    test("a channel gets its messages one after the other, in the order of what happened", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      const binding = await at.bind(`${receiver.url}/one`);
      await at.bind(`${receiver.url}/two`, { channel_id: "C2" });
      for (const version of ["1", "2", "3"]) await release(at, version);
      let going = 0;
      receiver.answer = async ({ path }) => {
        if (path === "/one") assert.equal(++going, 1);
        await new Promise((next) => setImmediate(next));
        if (path === "/one") going--;
        return { status: 200 };
      };
      await at.pass(1);
      assert.deepEqual(versionsOf(receiver.heard("/one")), ["1", "2", "3"]);
      assert.deepEqual(versionsOf(receiver.heard("/two")), ["1", "2", "3"]);
      assert.equal(new Set(receiver.ids()).size, 6);
      const delivered = (await at.deliveries("delivered")).filter(
        ({ binding_id }) => binding_id === binding.id,
      );
      assert.deepEqual(
        delivered.map(({ id }) => id),
        receiver.ids("/one"),
      );
      const [first] = delivered;
      assert.deepEqual([first?.attempts, first?.status, first?.error, first?.next_at], [1, 200, null, null]);
      await at.pass(3600);
      assert.equal(receiver.received.length, 6);
    });

    test("what fails is tried again under its id, ever later, and those behind it wait", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await at.bind(receiver.url);
      receiver.answer = () => ({ status: 503 });
      await release(at, "1");
      await release(at, "2");
      await at.pass(0);
      const [first, second] = await at.deliveries("waiting");
      assert.deepEqual([first?.attempts, first?.status, second?.attempts], [1, 503, 0]);
      assert.equal(first?.error, "The host 127.0.0.1 answered with 503.");
      // One second, minus a random part of up to a half.
      const wait = Date.parse(first?.next_at ?? "") - at.deps.system.now().getTime();
      assert.ok(wait >= 500 && wait <= 1000, String(wait));
      await at.pass(0.4);
      assert.equal(receiver.received.length, 1);
      await at.pass(0.6);
      assert.equal(receiver.received.length, 2);
      receiver.answer = () => ({ status: 200 });
      await at.pass(2);
      assert.deepEqual(versionsOf(receiver.heard()), ["1", "1", "1", "2"]);
      assert.deepEqual(new Set(receiver.ids().slice(0, 3)), new Set([first?.id]));
    });

    test("a receiver may ask to be left alone for a while, up to an hour", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await at.bind(receiver.url);
      const asks = (seconds: number | string) => () => ({
        status: 429,
        headers: { "retry-after": String(seconds) },
      });
      receiver.answer = asks(90);
      await release(at, "1");
      await at.pass(0);
      await at.pass(89);
      assert.equal(receiver.received.length, 1);
      receiver.answer = asks(new Date(at.deps.system.now().getTime() + 61_000).toUTCString());
      await at.pass(1);
      await at.pass(58);
      assert.equal(receiver.received.length, 2);
      receiver.answer = asks(86_400);
      await at.pass(2);
      await at.pass(3599);
      assert.equal(receiver.received.length, 3);
      receiver.answer = () => ({ status: 204 });
      await at.pass(1);
      assert.equal((await at.deliveries("delivered")).length, 1);
    });

    test("what is refused for good, or failed too often, is put aside, and the next goes on", async (t) => {
      const at = await testChat(t, { engine, settings: { PLATFORM_CHAT_ATTEMPTS: "3" } });
      const receiver = await startReceiver(t);
      await at.bind(receiver.url);
      receiver.answer = () => ({ status: 404 });
      await release(at, "1");
      await at.pass(0);
      receiver.answer = ({ text }) => ({ status: text.includes("desk 2") ? 500 : 200 });
      await release(at, "2");
      await release(at, "3");
      for (let n = 0; n < 3; n++) await at.pass(10);
      assert.deepEqual(versionsOf(receiver.heard()), ["1", "2", "2", "2", "3"]);
      const dead = await at.deliveries("dead");
      assert.deepEqual(
        dead.map(({ attempts, status, next_at }) => [attempts, status, next_at]),
        [
          [1, 404, null],
          [3, 500, null],
        ],
      );
      receiver.answer = () => ({ status: 200 });
      const again = await at.chat.deliveries.retry(dead[1]?.id ?? "", at.by());
      assert.deepEqual([again.state, again.attempts], ["waiting", 0]);
      await at.pass(0);
      assert.equal(receiver.ids().at(-1), dead[1]?.id);
      await assert.rejects(at.chat.deliveries.retry(dead[1]?.id ?? "", at.by()), /was delivered/);
      await assert.rejects(at.chat.deliveries.retry("nobody", at.by()), /There is no delivery nobody/);
    });

    test("what has waited for more than a day is put aside unsent, until somebody wants it", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await at.bind(receiver.url);
      await release(at, "1");
      at.deps.system.pass(86_400_000);
      await release(at, "2");
      await at.pass(1);
      assert.deepEqual(versionsOf(receiver.heard()), ["2"]);
      const [old] = await at.deliveries("dead");
      assert.equal(old?.error, "It has waited for longer than a day.");
      await at.chat.deliveries.retry(old?.id ?? "", at.by());
      await at.pass(0);
      assert.deepEqual(versionsOf(receiver.heard()), ["2", "1"]);
    });

    test("a channel that does not answer keeps no other from its messages", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await at.bind(`${receiver.url}/slow`);
      await at.bind(`${receiver.url}/quick`, { channel_id: "C2" });
      const { promise, resolve } = Promise.withResolvers<void>();
      receiver.answer = async ({ path }) => {
        if (path === "/slow") await promise;
        return { status: 200 };
      };
      await release(at, "1");
      await release(at, "2");
      const ticking = at.pass(0);
      await until(() => receiver.heard("/quick").length === 2);
      assert.equal(receiver.heard("/slow").length, 1);
      resolve();
      await ticking;
      assert.equal(receiver.heard("/slow").length, 2);
    });

    test("a server that dies between a message and its record sends it again, under the same id", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await at.bind(receiver.url);
      const { promise, resolve } = Promise.withResolvers<void>();
      receiver.answer = async () => {
        if (receiver.received.length === 1) await promise;
        return { status: 200 };
      };
      await release(at, "1");
      const first = at.pass(0);
      await until(() => receiver.received.length === 1);
      const next = await at.another();
      // On PostgreSQL the lease of the first must have expired.
      await next.pass(16);
      assert.deepEqual(versionsOf(receiver.heard()), ["1", "1"]);
      const [a, b] = receiver.ids();
      assert.equal(a, b);
      // The response to the first server is too late to count.
      resolve();
      await first;
      const all = await at.deliveries();
      assert.deepEqual(
        all.map(({ state, attempts }) => [state, attempts]),
        [["delivered", 1]],
      );
    });

    test("what happened while no server ran is told by the next, and nothing is told twice", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await at.bind(receiver.url);
      await release(at, "1");
      await at.pass(0);
      await at.chat.stop();
      await release(at, "2");
      const next = await at.another();
      await next.pass(16);
      await next.pass(16);
      assert.deepEqual(versionsOf(receiver.heard()), ["1", "2"]);
    });

    test("with a binding goes what waits for it", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      const { id } = await at.bind(receiver.url);
      receiver.answer = () => ({ status: 500 });
      await release(at, "1");
      await at.pass(0);
      await at.chat.bindings.remove(id, at.by());
      assert.deepEqual(await at.deliveries(), []);
      await at.pass(60);
      assert.equal(receiver.received.length, 1);
    });

    test("of a channel's delivered messages the newest are kept", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      const { id } = await at.bind(receiver.url);
      for (const version of ["1", "2", "3"]) await release(at, version);
      await at.pass(0);
      const steps = [createDeliveryRows(at.deps.store, testOutbox(at.deps)).pruneChannel(id, 2)];
      await at.deps.store.apply({ context: at.by(), steps, events: [] });
      assert.deepEqual(versionsOf((await at.deliveries()).map(({ text }) => text)), ["2", "3"]);
    });

    test("what is delivered is kept for 7 days, what is put aside for 30", async (t) => {
      const at = await testChat(t, { engine });
      const receiver = await startReceiver(t);
      await at.bind(receiver.url);
      receiver.answer = ({ text }) => ({ status: text.includes("desk 1") ? 410 : 200 });
      await release(at, "1");
      await release(at, "2");
      await at.pass(0);
      const kept = async (days: number) => {
        at.deps.system.pass(days * 86_400_000);
        await at.chat.deliveries.prune();
        return (await at.deliveries()).map(({ state }) => state);
      };
      assert.deepEqual(await kept(7), ["dead", "delivered"]);
      assert.deepEqual(await kept(1), ["dead"]);
      assert.deepEqual(await kept(23), []);
    });
  });
}

test("servers that share a PostgreSQL take turns", async (t) => {
  const one = await testChat(t, { engine: "postgres" });
  const receiver = await startReceiver(t);
  await one.bind(receiver.url);
  await one.pass(0);
  const two = await one.another();
  await release(two, "1");
  await two.pass(0);
  assert.equal(receiver.received.length, 0);
  await one.pass(0);
  assert.equal(receiver.received.length, 1);
  await release(one, "2");
  await two.pass(16);
  assert.deepEqual(versionsOf(receiver.heard()), ["1", "2"]);
  await release(one, "3");
  await one.pass(0);
  assert.equal(receiver.received.length, 2);
  await two.pass(0);
  assert.deepEqual(versionsOf(receiver.heard()), ["1", "2", "3"]);
});
