import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { engines, unique } from "../../testing/server.ts";
import { automationSuite, ended, http, reached, statuses, tasksOf } from "./test-automations.ts";

for (const engine of engines) {
  suite(`runs of automations on ${engine}`, () => {
    const here = automationSuite(engine);

    test("tasks run in dependency order, concurrently if independent, with the outputs of earlier tasks", async () => {
      const { path, run, lines } = await here.released(
        (at) => [
          http("count", at("count"), { parameters: { method: "GET" } }),
          http("left", at("left"), {
            depends_on: ["count"],
            parameters: { body: { n: "{{tasks.count.output.body.n}}", day: "{{parameters.day}}" } },
          }),
          http("right", at("right"), { depends_on: ["count"], parameters: { body: "{{environment.name}}" } }),
          http("many", at("many"), {
            depends_on: ["left", "right"],
            condition: { left: "{{tasks.count.output.body.n}}", op: ">", right: "100" },
          }),
          http("last", at("last"), { depends_on: ["many"], run_if: "none_failed" }),
        ],
        { parameters: { day: "2026-03-01" } },
      );
      here.receiver.on(path("count"), () => ({ body: { n: 3 } }));
      // Neither request is answered before both have arrived.
      const both = () =>
        Promise.all([reached(here.receiver, path("left")), reached(here.receiver, path("right"))]);
      for (const side of ["left", "right"])
        here.receiver.on(path(side), async () => ({ body: await both().then(() => ({})) }));
      const done = await run({ parameters: { day: "2026-03-02" } });
      assert.equal(done.status, "succeeded", done.error ?? "");
      assert.deepEqual(statuses(done), {
        count: "succeeded",
        left: "succeeded",
        right: "succeeded",
        many: "skipped",
        last: "succeeded",
      });
      assert.equal(here.receiver.received(path("left"))[0]?.body, '{"n":3,"day":"2026-03-02"}');
      assert.equal(here.receiver.received(path("count"))[0]?.method, "GET");
      assert.deepEqual(here.receiver.received(path("many")), []);
      const [count, , , many] = tasksOf(done);
      assert.deepEqual(count?.output, { status: 200, body: { n: 3 } });
      assert.equal(many?.reason, "condition");
      assert.ok((await lines(done)).includes('Task "many" is skipped: its condition is false: "3" > "100".'));
    });

    test("retryable errors are retried with the same key, permanent ones are not, and the run reports the cause", async () => {
      const { path, run } = await here.released((at) => [
        http("busy", at("busy"), { retries: 2, retry_seconds: 0 }),
        http("gone", at("gone"), { retries: 5, retry_seconds: 0, depends_on: ["busy"] }),
        http("after", at("after"), { depends_on: ["gone"] }),
        http("tell", at("tell"), {
          depends_on: ["gone"],
          run_if: "at_least_one_failed",
          parameters: { body: "{{tasks.gone.error}}" },
        }),
      ]);
      here.receiver.on(path("busy"), (_, nth) => ({ status: nth < 3 ? 503 : 200 }));
      here.receiver.on(path("gone"), () => ({ status: 404, body: "no such thing" }));
      const done = await run();
      assert.deepEqual(statuses(done), {
        busy: "succeeded",
        gone: "failed",
        after: "skipped",
        tell: "succeeded",
      });
      const keys = here.receiver.received(path("busy")).map(({ headers }) => headers["idempotency-key"]);
      assert.deepEqual(keys, Array(3).fill(`${done.id}/busy`));
      assert.equal(here.receiver.received(path("gone")).length, 1);
      assert.equal(here.receiver.received(path("tell"))[0]?.body, 'The server answered 404: "no such thing"');
      assert.equal(tasksOf(done)[2]?.reason, "upstream_failed");
      assert.equal(done.status, "failed");
      assert.equal(done.error, 'Task "gone" failed: The server answered 404: "no such thing"');
    });

    test("a failure that another task handles does not fail the run", async () => {
      const { path, run } = await here.released((at) => [
        http("try", at("try")),
        http("clean", at("clean"), { depends_on: ["try"], run_if: "all_done" }),
      ]);
      here.receiver.on(path("try"), () => ({ status: 400 }));
      const done = await run();
      assert.deepEqual([done.status, statuses(done)], ["succeeded", { try: "failed", clean: "succeeded" }]);
      const [why] = done.metrics.handled_failures as string[];
      assert.match(
        why ?? "",
        /^Task "try" failed: .*The run counts as succeeded, because "clean" \(run_if: all_done\) ran after it and succeeded\.$/,
      );
    });

    test("a secret is sent, and appears in no run, log or event", async () => {
      const secret = unique("s3cret");
      const { environment, path, run, lines } = await here.released((at) => [
        http("echo", at("echo"), {
          parameters: {
            headers: { Authorization: "Bearer {{secrets/shop/key}}", "X-Api-Key": `${secret}-own` },
          },
        }),
        http("refused", at("refused"), {
          run_if: "all_done",
          depends_on: ["echo"],
          parameters: { headers: { "X-Key": "{{secrets/shop/key}}" } },
        }),
      ]);
      const params = { scope: "shop", key: "key" };
      await here.server.client.putSecret({ params, environment, body: { value: secret } });
      here.receiver.on(path("echo"), ({ headers }) => ({ body: { echo: headers } }));
      here.receiver.on(path("refused"), ({ headers }) => ({ status: 403, body: headers["x-key"] }));
      const done = await run();
      assert.equal(here.receiver.received(path("echo"))[0]?.headers.authorization, `Bearer ${secret}`);
      assert.equal(here.receiver.received(path("echo"))[0]?.headers["x-api-key"], `${secret}-own`);
      assert.equal(done.status, "failed");
      assert.match(JSON.stringify(done.metrics), /Bearer \*{8}/);
      const stored = JSON.stringify([done, await lines(done), await here.server.rows()]);
      assert.doesNotMatch(stored, new RegExp(secret));
    });

    test("cancelling a run aborts its pending request and cancels the remaining tasks", async () => {
      const { path, start, params, environment } = await here.released((at) => [
        http("first", at("first")),
        http("hang", at("hang"), { depends_on: ["first"] }),
        http("never", at("never"), { depends_on: ["hang"] }),
      ]);
      here.receiver.on(path("hang"), () => new Promise(() => {}));
      const { id } = await start();
      const [hanging] = await reached(here.receiver, path("hang"));
      await here.server.client.cancelRun({ params: { run_id: id } });
      await hanging?.gone;
      const done = await ended(here.server, id);
      assert.equal(done.status, "cancelled");
      assert.deepEqual(statuses(done), { first: "succeeded", hang: "cancelled", never: "cancelled" });
      const { runs } = await here.server.client.listAutomationRuns({ params, environment });
      const listed = tasksOf(done).map(({ output: _, ...task }) => task);
      assert.deepEqual(runs, [{ ...done, metrics: { ...done.metrics, tasks: listed } }]);
    });

    test("integers of any size are forwarded unchanged", async () => {
      const { path, run } = await here.released(
        (at) => [
          http("ask", at("ask"), { parameters: { body: { id: "{{parameters.id}}" } } }),
          http("tell", at("tell"), {
            depends_on: ["ask"],
            parameters: { body: { was: "{{tasks.ask.value}}" } },
          }),
        ],
        { parameters: { id: 1 } },
      );
      here.receiver.on(path("ask"), () => ({ body: JSON.rawJSON("9007199254740995") }));
      const done = await run({ parameters: { id: 9007199254740993n } });
      assert.equal(done.status, "succeeded", done.error ?? "");
      assert.equal(here.receiver.received(path("ask"))[0]?.body, '{"id":9007199254740993}');
      assert.equal(here.receiver.received(path("tell"))[0]?.body, '{"was":9007199254740995}');
    });

    test("runs are listed after their release was removed", async () => {
      const { params, environment, run } = await here.released((at) => [http("one", at("one"))]);
      const { id } = await run();
      await here.server.client.syncAutomationRelease({ body: { ...params, environment, action: "delete" } });
      const { runs } = await here.server.client.listAutomationRuns({ params, environment });
      assert.deepEqual(
        runs.map((run) => run.id),
        [id],
      );
    });

    test("after a server stop, a run continues with its design and repeats no finished task", async () => {
      const { path, start, params, release } = await here.released((at) => [
        http("first", at("first")),
        http("hang", at("hang"), { depends_on: ["first"], retries: 3 }),
        http("last", at("last"), { depends_on: ["hang"] }),
      ]);
      here.receiver.on(path("hang"), (_, nth) => (nth === 1 ? new Promise(() => {}) : { body: { nth } }));
      const { id } = await start();
      await reached(here.receiver, path("hang"));
      await here.server.client.setDefinition({ params, body: { tasks: [http("other", here.receiver.url)] } });
      await release("2");
      here.server = await here.server.restart();
      const done = await ended(here.server, id);
      assert.deepEqual([done.status, done.error], ["succeeded", null]);
      assert.deepEqual(statuses(done), { first: "succeeded", hang: "succeeded", last: "succeeded" });
      assert.deepEqual(
        ["first", "hang", "last"].map((name) => here.receiver.received(path(name)).length),
        [1, 2, 1],
      );
      const keys = here.receiver.received(path("hang")).map(({ headers }) => headers["idempotency-key"]);
      assert.deepEqual(keys, Array(2).fill(`${id}/hang`));
      assert.deepEqual([tasksOf(done)[1]?.attempt, done.metrics.version], [1, "1"]);
    });

    test("a run needs a release with a definition; repeated requests start one run; runs are listed newest first", async () => {
      const { alias, params, environment, path, start } = await here.released((at) => [
        http("one", at("one")),
      ]);
      const { client } = here.server;
      const nobody = { params: { automation_alias: "nobody" } };
      await refused(client.runAutomation(nobody), 404, /no automation "nobody"/);
      await refused(client.runAutomation({ params }), 409, /has no current release in local/);
      const bare = { automation_alias: unique("bare") };
      await client.syncAutomationRelease({ body: { ...bare, environment } });
      await refused(client.runAutomation({ params: bare, environment }), 409, /has no job/);
      const twice = { params, environment, idempotencyKey: unique("key") };
      const [a, b] = [await client.runAutomation(twice), await client.runAutomation(twice)];
      assert.equal(a.id, b.id);
      await ended(here.server, a.id);
      const second = await ended(here.server, (await start({ reason: "again" })).id);
      const { runs } = await client.listAutomationRuns({ params, environment });
      assert.deepEqual(
        runs.map(({ id }) => id),
        [second.id, a.id],
      );
      assert.equal(here.receiver.received(path("one")).length, 2);
      assert.deepEqual([second.cause.trigger, second.cause.reason], ["manual", "again"]);
      assert.match(second.job_id, /^automation-/);
      const { jobs } = await client.listJobs({ environment, query: { kind: "automation" } });
      assert.deepEqual(
        jobs.map((job) => job.name),
        [alias],
      );
    });

    test("run events contain the subject, a recovery, and the notified channels", async () => {
      const notify = { on_success: [], on_failure: ["C1"], on_recovery: ["C2"] };
      const { alias, environmentId, path, run } = await here.released((at) => [http("one", at("one"))], {
        notifications: notify,
      });
      here.receiver.on(path("one"), (_, nth) => ({ status: nth < 3 ? 400 : 200 }));
      const runs = [await run(), await run(), await run(), await run()];
      const events = await Promise.all(
        runs.map(async ({ id, status }) => (await here.server.events(`run.${status}`, `run/${id}`))[0]?.data),
      );
      const [, failed, recovered, succeeded] = events;
      for (const data of events) {
        assert.deepEqual(
          [data?.name, data?.kind, data?.environment_id],
          [alias, "automation", environmentId],
        );
        assert.match(String(data?.subject), /^automation\//);
        assert.deepEqual(data?.notify, notify);
      }
      assert.deepEqual([failed?.failures, failed?.error], [2, runs[1]?.error]);
      assert.deepEqual([recovered?.recovered, succeeded?.recovered], [2, undefined]);
    });

    test("a schedule runs the current release, and does not run while paused", async () => {
      const { path, params, job_id } = await here.released((at) => [http("one", at("one"))], {
        schedule: { cron: "* * * * * *" },
      });
      await reached(here.receiver, path("one"));
      await here.server.client.setSchedule({ params: { ...params, action: "pause" } });
      const { runs } = await here.server.client.listRunsOfJob({ params: { job_id } });
      assert.equal(runs.at(-1)?.cause.trigger, "cron");
      const job = await here.server.client.getJob({ params: { job_id } });
      assert.ok(job.paused);
    });
  });
}
