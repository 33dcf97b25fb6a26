/** Automations that call each other, and tasks that are repeated for each item of a list. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, unique } from "../../testing/server.ts";
import {
  automationSuite,
  ended,
  http,
  reached,
  statuses,
  type TestTask,
  tasksOf,
} from "./test-automations.ts";

const call = (name: string, reference: string, more: Partial<TestTask> = {}): TestTask => ({
  name,
  kind: "automation",
  reference,
  ...more,
});

for (const engine of enginesOfSlowSuites) {
  suite(`calls and items on ${engine}`, () => {
    const here = automationSuite(engine);

    /** The problems that #3 finds in a design of the automation for an environment, without their positions. */
    async function problems(alias: string, environment: string, tasks: TestTask[]) {
      const params = { automation_alias: alias };
      await here.server.client.putAttempt({ params: { ...params, attempt_id: "one" }, body: { tasks } });
      const body = { attempt_id: "one" };
      const { validation_errors } = await here.server.client.validateArtifacts({ params, body, environment });
      return (validation_errors ?? []).map((text) => text.replace(/^definition\.yaml:\d+:\d+: /, ""));
    }

    test("a task calls another automation with parameters, and ends as that run ends", async () => {
      const inner = await here.released(
        (at) => [http("send", at("send"), { parameters: { body: "{{parameters.day}}" } })],
        { parameters: { day: "none" } },
      );
      const outer = await here.released(
        () => [
          call("load", inner.alias, { parameters: { day: "{{parameters.day}}" } }),
          call("after", inner.alias, {
            depends_on: ["load"],
            condition: { left: "{{tasks.load.output.tasks.send}}", op: "==", right: "other" },
          }),
        ],
        { parameters: { day: "2026-03-01" } },
        inner.environment,
      );
      const done = await outer.run();
      assert.deepEqual(statuses(done), { load: "succeeded", after: "skipped" });
      assert.equal(here.receiver.received(inner.path("send"))[0]?.body, "2026-03-01");
      const [load] = tasksOf(done);
      assert.deepEqual(load?.output, { version: "1", tasks: { send: "succeeded" } });
      const child = await ended(here.server, load?.run_id ?? "");
      assert.deepEqual(child.cause.automation, { run_id: done.id, task: "load" });

      here.receiver.on(inner.path("send"), () => ({ status: 404, body: "gone" }));
      const failed = await outer.run();
      assert.equal(failed.status, "failed");
      assert.match(failed.error ?? "", /The run .* of the automation ".*" failed: Task "send" failed/);
    });

    test("cancelling a run cancels the automation that it waits for", async () => {
      const inner = await here.released((at) => [http("wait", at("wait"))]);
      here.receiver.on(inner.path("wait"), () => new Promise(() => {}));
      const outer = await here.released(() => [call("load", inner.alias)], {}, inner.environment);
      const { id } = await outer.start();
      await reached(here.receiver, inner.path("wait"));
      await here.server.client.cancelRun({ params: { run_id: id } });
      const done = await ended(here.server, id);
      assert.equal(done.status, "cancelled");
      assert.equal((await ended(here.server, tasksOf(done)[0]?.run_id ?? "")).status, "cancelled");
    });

    test("automations that call each other are refused by #3 and when they run", async () => {
      const names = [unique("a"), unique("b"), unique("c")] as const;
      const [a, b, c] = names;
      const { client } = here.server;
      const { name: environment } = await client.createEnvironment({ body: { name: unique("prod") } });
      const release = async (alias: string, calls: string) => {
        const params = { automation_alias: alias };
        const definition = { tasks: [call("next", calls)] };
        await client.createAutomation({ body: { alias, definition } });
        await client.syncAutomationRelease({ body: { ...params, environment } });
      };
      for (const alias of [a]) await client.createAutomation({ body: { alias } });
      assert.deepEqual(await problems(a, environment, [call("next", b)]), [
        `Task "next": It calls the automation "${b}", which has no release in ${environment}.`,
      ]);
      assert.deepEqual(await problems(a, environment, [call("next", a)]), [
        `Task "next": The automation would call itself: "${a}" → "${a}".`,
      ]);
      await release(b, c);
      await release(c, a);
      const circle = `The automation would call itself: "${a}" → "${b}" → "${c}" → "${a}".`;
      assert.deepEqual(await problems(a, environment, [call("next", b)]), [`Task "next": ${circle}`]);

      const params = { automation_alias: a };
      await client.setDefinition({ params, body: { tasks: [call("next", b, { retries: 3 })] } });
      await client.syncAutomationRelease({ body: { ...params, environment } });
      const done = await ended(here.server, (await client.runAutomation({ params, environment })).id);
      assert.equal(done.status, "failed");
      assert.equal(done.error, `Task "next" failed: ${circle}`);
      assert.equal(tasksOf(done)[0]?.attempt, 1);
    });

    test("calls are at most ten deep", async () => {
      const last = await here.released((at) => [http("end", at("end"))]);
      let called = last.alias;
      for (let n = 0; n < 10; n++)
        called = (await here.released(() => [call("next", called)], {}, last.environment)).alias;
      const top = await here.released(() => [call("next", called)], {}, last.environment);
      const done = await top.run();
      assert.match(done.error ?? "", /More than 10 automations would call each other in a row\.$/);
      assert.deepEqual(here.receiver.received(last.path("end")), []);
    });

    test("a task is repeated for each item, some at the same time, and a retry repeats the failed items", async () => {
      const { run, path, lines } = await here.released(
        (at) => [
          http("send", `${at("send")}/{{item.id}}`, {
            for_each: { items: "{{parameters.shops}}", concurrency: 2 },
            parameters: { body: "{{item}}" },
            retries: 2,
            retry_seconds: 0,
          }),
          http("tell", at("tell"), {
            depends_on: ["send"],
            parameters: { body: "{{tasks.send.output.succeeded}} of {{tasks.send.output.count}}" },
          }),
        ],
        { parameters: { shops: [] } },
      );
      here.receiver.on(`${path("send")}/2`, (_, nth) => (nth === 1 ? { status: 503, body: "busy" } : {}));
      // The request for item 1 is answered only after that for item 2 has arrived, so the items must run at the same
      // time.
      here.receiver.on(`${path("send")}/1`, async () => {
        await reached(here.receiver, `${path("send")}/2`);
        return {};
      });
      const shops = [{ id: 1 }, { id: 2 }, { id: 3 }];
      const done = await run({ parameters: { shops } });
      assert.equal(done.status, "succeeded", done.error ?? "");
      const sent = shops.map(({ id }) => here.receiver.received(`${path("send")}/${id}`).length);
      assert.deepEqual(sent, [1, 2, 1]);
      const keys = shops.map(
        ({ id }) => here.receiver.received(`${path("send")}/${id}`)[0]?.headers["idempotency-key"],
      );
      assert.deepEqual(
        keys,
        [0, 1, 2].map((at) => `${done.id}/send/${at}`),
      );
      const [send] = tasksOf(done);
      assert.deepEqual(send?.items, [
        { item: '{"id":1}', status: "succeeded", attempt: 1 },
        { item: '{"id":2}', status: "succeeded", attempt: 2 },
        { item: '{"id":3}', status: "succeeded", attempt: 1 },
      ]);
      assert.equal(here.receiver.received(path("tell"))[0]?.body, "3 of 3");
      const error = '1 of 3 items failed. {"id":2}: The server answered 503: "busy"';
      assert.deepEqual(
        send?.retries?.map(({ attempt, error }) => ({ attempt, error })),
        [{ attempt: 1, error }],
      );
      assert.ok((await lines(done)).includes('Task "send", item 2 of 3: The server answered 503: "busy"'));
      const events = (await here.server.events()).filter(
        ({ kind, subject }) => kind === "run.retried" && subject === `run/${done.id}`,
      );
      assert.deepEqual(
        events.map(({ data }) => [data.task, data.attempt, data.error]),
        [["send", 1, error]],
      );

      const none = await run({ parameters: { shops: [] } });
      assert.deepEqual(
        [none.status, tasksOf(none)[0]?.output],
        ["succeeded", { count: 0, succeeded: 0, failed: 0 }],
      );
      const text = await run({ parameters: { shops: "all" } });
      assert.match(text.error ?? "", /The items of for_each are a string, not a list\./);
      const many = await run({ parameters: { shops: Array.from({ length: 1001 }, (_, n) => n) } });
      assert.match(many.error ?? "", /The list of for_each has 1001 items, and at most 1000 are possible\./);
    });

    test("an automation is called for each item, and a permanent failure of one is not repeated", async () => {
      const inner = await here.released((at) => [http("send", `${at("send")}/{{parameters.day}}`)], {
        parameters: { day: "" },
        overlap: true,
      });
      const outer = await here.released(
        () => [
          call("load", inner.alias, {
            for_each: { items: ["1", "2"], concurrency: 2 },
            parameters: { day: "{{item}}" },
          }),
        ],
        {},
        inner.environment,
      );
      here.receiver.on(`${inner.path("send")}/2`, () => ({ status: 404, body: "no" }));
      const done = await outer.run();
      assert.equal(done.status, "failed");
      const items = tasksOf(done)[0]?.items ?? [];
      assert.deepEqual(
        items.map(({ item, status }) => [item, status]),
        [
          ["1", "succeeded"],
          ["2", "failed"],
        ],
      );
      for (const { run_id } of items) {
        const { cause } = await ended(here.server, run_id ?? "");
        assert.deepEqual(cause.automation, { run_id: done.id, task: "load" });
      }
    });

    test("a cancelled run stops its items and starts no more", async () => {
      const { start, path } = await here.released((at) => [
        http("send", `${at("send")}/{{item}}`, { for_each: { items: [1, 2, 3] } }),
      ]);
      here.receiver.on(`${path("send")}/1`, () => new Promise(() => {}));
      const { id } = await start();
      const [first] = await reached(here.receiver, `${path("send")}/1`);
      await here.server.client.cancelRun({ params: { run_id: id } });
      await first?.gone;
      const done = await ended(here.server, id);
      const [send] = tasksOf(done);
      assert.equal(send?.status, "cancelled");
      assert.deepEqual(
        send?.items?.map(({ status }) => status),
        ["cancelled", "waiting", "waiting"],
      );
      assert.deepEqual(here.receiver.received(`${path("send")}/2`), []);
    });

    test("lists and items of a definition are checked", async () => {
      const { client } = here.server;
      const task = (more: Partial<TestTask>) => ({
        name: "send",
        kind: "http" as const,
        url: "https://example.test",
        ...more,
      });
      const wrong = async (more: Partial<TestTask>) =>
        (
          await refused(
            client.createAutomation({ body: { alias: unique("x"), definition: { tasks: [task(more)] } } }),
            409,
          )
        ).detail;
      assert.match(
        await wrong({ for_each: { items: "all {{run.id}}" } }),
        /The items must be a list, or one placeholder/,
      );
      assert.match(
        await wrong({ for_each: { items: Array.from({ length: 1001 }, () => 1) } }),
        /The list has 1001 items/,
      );
      assert.match(
        await wrong({ url: "https://example.test/{{item}}" }),
        /only a task with for_each has an item/,
      );
      const early = {
        for_each: { items: [1] },
        condition: { left: "{{item}}", op: "==" as const, right: "1" },
      };
      assert.match(await wrong(early), /the item is not known there/);
      assert.match(
        await wrong({ for_each: { items: ["{{secrets/shop/key}}"] } }),
        /accepted only in a credential field/,
      );
    });
  });
}
