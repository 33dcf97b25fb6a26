import assert from "node:assert/strict";
import test, { describe } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { Trigger } from "../../runtime/jobs/job-steps.ts";
import { engines, testJobs } from "../../runtime/jobs/test-jobs.ts";
import { refused } from "../../testing/refusal.ts";

const manual: Trigger = { kind: "manual" };
const nightly: Trigger = { kind: "cron", cron: "30 2 * * *", timezone: "Europe/Berlin" };

interface LogMessage {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** The messages of a stream, until it ends or the loop is left. */
async function* messagesOf(
  { url, token }: { readonly url: string; readonly token: string },
  runId: string,
  headers: Record<string, string> = {},
): AsyncGenerator<LogMessage> {
  const response = await fetch(`${url}/api/v1/runs/${runId}/log`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${token}`, ...headers },
  });
  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  assert.ok(response.body);
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks.filter((block) => !block.startsWith(":"))) {
      const field = (name: string) =>
        block
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? "";
      yield { id: field("id"), event: field("event"), data: JSON.parse(field("data")) };
    }
  }
}

for (const engine of engines) {
  describe(engine, () => {
    test("a parameter with a secret's name is refused; a secret reference is accepted", async (t) => {
      const fixture = await testJobs(t, { engine });
      const client = await fixture.client();
      const params = { job_id: await fixture.install(manual) };
      const run = (parameters: Record<string, unknown>) => client.runJob({ params, body: { parameters } });
      await refused(
        run({ db: { password: "hunter2" } }),
        409,
        /^The parameter "db\.password" looks like a secret/,
      );
      assert.deepEqual(await fixture.runs(), []);
      const parameters = { db_password: "{{secrets/shop/db}}", day: "2026-03-01" };
      assert.deepEqual((await run(parameters)).cause.parameters, parameters);
    });

    test("lists omit task outputs; a single run has them", async (t) => {
      const fixture = await testJobs(t, { engine });
      const client = await fixture.client();
      const params = { job_id: await fixture.install(manual) };
      const { id } = await fixture.runNow(params.job_id);
      const task = { name: "load", status: "succeeded" };
      (await fixture.executor.next()).finish({ version: "1", tasks: [{ ...task, output: { rows: [[1]] } }] });
      await fixture.jobs.idle();
      const pages = [await client.listRuns(), await client.listRunsOfJob({ params })];
      for (const { runs } of pages) assert.deepEqual(runs[0]?.metrics, { version: "1", tasks: [task] });
      const { metrics } = await client.getRun({ params: { run_id: id } });
      assert.deepEqual(metrics.tasks, [{ ...task, output: { rows: [[1]] } }]);
    });

    test("a job can be read, and listed by kind and environment", async (t) => {
      const fixture = await testJobs(t, { engine });
      const client = await fixture.client();
      const first = await fixture.install(nightly);
      fixture.deps.system.advance(1000);
      const second = await fixture.install(manual);

      const job = await client.getJob({ params: { job_id: first } });
      assert.equal(job.next_at, "2026-03-02T01:30:00.000Z");
      assert.deepEqual(job.definition.trigger, nightly);
      assert.deepEqual([job.paused, job.last_run, job.failures], [null, null, 0]);
      const ids = async (query: Parameters<typeof client.listJobs>[0]) => {
        const { jobs, total } = await client.listJobs(query);
        return [jobs.map(({ id }) => id), total];
      };
      assert.deepEqual(await ids({}), [[first, second], 2]);
      assert.deepEqual(await ids({ query: { skip: 1, kind: "connector" } }), [[second], 2]);
      assert.deepEqual(await ids({ query: { kind: "flow" } }), [[], 0]);
      assert.deepEqual(await ids({ environment: "local", query: { limit: 1 } }), [[first], 2]);
      await refused(client.listJobs({ environment: "nowhere" }), 404);
      await refused(
        client.getJob({ params: { job_id: "connector-none" } }),
        404,
        "There is no job connector-none.",
      );
    });

    test("the next firings of a schedule are listed; other triggers are described in words", async (t) => {
      const fixture = await testJobs(t, { engine, startAt: "2026-03-28T00:00:00.000Z" });
      const client = await fixture.client();
      const firings = async (job_id: string) =>
        client.listFirings({ params: { job_id }, query: { count: 2 } });
      assert.deepEqual(await firings(await fixture.install(nightly)), {
        firings: ["2026-03-28T01:30:00.000Z", "2026-03-29T01:00:00.000Z"],
        sentence: 'By the cron expression "30 2 * * *" in Europe/Berlin.',
      });
      assert.deepEqual(await firings(await fixture.install(manual)), {
        firings: [],
        sentence: "Only when you start it.",
      });
      const never = await fixture.install({ ...nightly, cron: "0 0 30 2 *" });
      assert.match((await firings(never)).sentence, /never fires: its day does not exist/);
      assert.match((await client.getJob({ params: { job_id: never } })).problem ?? "", /never fires/);
    });

    test("a job can be run now with a reason and parameters, even if it is paused", async (t) => {
      const fixture = await testJobs(t, { engine, realTime: true });
      const { jobs, deps, context } = fixture;
      const client = await fixture.client();
      const job_id = await fixture.install(nightly);
      await deps.store.apply({
        context: context(),
        ...jobs.steps.pause(job_id, { reason: null, until: null }, context()),
      });
      const parameters = { full: true, id: 12345678901234567890n };
      const run = await client.runJob({ params: { job_id }, body: { reason: "repair", parameters } });
      assert.deepEqual(run.cause, {
        trigger: "manual",
        by: "internal-service",
        time: run.queued_at,
        reason: "repair",
        parameters,
      });
      assert.deepEqual(await client.getRun({ params: { run_id: run.id } }), run);
      await jobs.tick();
      (await fixture.executor.next()).finish({ read: 1 });
      await jobs.idle();
      assert.equal((await client.getJob({ params: { job_id } })).last_run?.status, "succeeded");
      await refused(client.runJob({ params: { job_id: "none" } }), 404);
    });

    test("runs are paged, newest first, by status and job", async (t) => {
      const fixture = await testJobs(t, { engine, realTime: true });
      const client = await fixture.client();
      const [one, other] = [await fixture.install(manual), await fixture.install(manual)];
      const created: string[] = [];
      for (const job_id of [one, one, other, one]) {
        created.unshift((await client.runJob({ params: { job_id } })).id);
      }
      const first = await client.listRuns({ query: { limit: 3 } });
      const second = await client.listRuns({ query: { limit: 3, before: first.next_before as string } });
      assert.deepEqual(
        [...first.runs, ...second.runs].map(({ id }) => id),
        created,
      );
      assert.equal(second.next_before, null);
      const ofJob = await client.listRunsOfJob({ params: { job_id: other } });
      assert.deepEqual(
        ofJob.runs.map(({ id }) => id),
        [created[1]],
      );
      await client.cancelRun({ params: { run_id: created[0] as string } });
      const cancelled = await client.listRuns({
        query: { status: "cancelled", job: one },
        environment: "local",
      });
      assert.deepEqual(
        cancelled.runs.map(({ id }) => id),
        [created[0]],
      );
      await refused(client.listRunsOfJob({ params: { job_id: "none" } }), 404);
    });

    test("a failed, cancelled or skipped run is retried as a new run; other runs are 409", async (t) => {
      const fixture = await testJobs(t, { engine, realTime: true });
      const client = await fixture.client();
      const job_id = await fixture.install(manual);
      const { id: run_id } = await client.runJob({ params: { job_id }, body: { parameters: { day: 1 } } });
      await refused(client.retryRun({ params: { run_id } }), 409, /is queued\. Only failed/);
      await fixture.jobs.tick();
      (await fixture.executor.next()).fail(new Error("no such table"));
      await fixture.jobs.idle();
      await refused(client.cancelRun({ params: { run_id } }), 409);

      const again = await client.retryRun({ params: { run_id } });
      assert.deepEqual(
        [again.cause.trigger, again.cause.retry_of, again.cause.parameters],
        ["retry", run_id, { day: 1 }],
      );
      await fixture.jobs.tick();
      (await fixture.executor.next()).finish();
      await fixture.jobs.idle();
      await refused(client.retryRun({ params: { run_id: again.id } }), 409, /is succeeded/);
    });

    test("a log can be paged, and streamed until the run has ended", async (t) => {
      const fixture = await testJobs(t, { engine, realTime: true });
      const client = await fixture.client();
      const { id: run_id } = await client.runJob({ params: { job_id: await fixture.install(manual) } });
      await fixture.jobs.tick();
      const work = await fixture.executor.next();
      work.line("info", "one");
      work.line("warn", "two\nlines");
      const page = (after: number) => client.readRunLog({ params: { run_id }, query: { after, limit: 1 } });
      await until(async () => (await page(1)).lines.length === 1);
      const { lines, next_after, ended } = await page(1);
      assert.deepEqual(
        lines.map(({ n, level, line }) => [n, level, line]),
        [[2, "warn", "two\nlines"]],
      );
      assert.deepEqual([next_after, ended], [2, false]);
      const find = (search: string, after = 0) =>
        client.readRunLog({ params: { run_id }, query: { search, after } });
      const found = await find("TWO");
      assert.deepEqual(
        found.lines.map(({ n }) => n),
        [2],
      );
      assert.deepEqual([found.next_after, found.last], [2, 2]);
      assert.deepEqual((await find("two", 2)).lines, []);
      assert.deepEqual((await find("%")).lines, []);

      const stream = messagesOf(client, run_id);
      const next = async () => (await stream.next()).value as LogMessage | undefined;
      assert.equal((await next())?.data.line, "one");
      assert.equal((await next())?.data.line, "two\nlines");
      work.line("info", "three");
      const third = await next();
      assert.deepEqual([third?.id, third?.event, third?.data.line], ["3", "line", "three"]);
      work.fail(new Error("no such table"));
      assert.equal((await next())?.data.line, "no such table");
      assert.deepEqual(await next(), {
        id: "4",
        event: "end",
        data: { status: "failed", error: "no such table" },
      });
      assert.equal(await next(), undefined);

      const beyond = { "last-event-id": String(Number.MAX_SAFE_INTEGER) };
      assert.deepEqual(
        (await Array.fromAsync(messagesOf(client, run_id, beyond))).map(({ event }) => event),
        ["end"],
      );
      const resumed = await Array.fromAsync(messagesOf(client, run_id, { "last-event-id": "2" }));
      assert.deepEqual(
        resumed.map(({ id, event }) => `${id} ${event}`),
        ["3 line", "4 line", "4 end"],
      );
      await refused(client.readRunLog({ params: { run_id: "none" } }), 404);
      const last = { after: Number.MAX_SAFE_INTEGER };
      assert.deepEqual((await client.readRunLog({ params: { run_id }, query: last })).lines, []);
      // No database can bind a number of this size.
      await refused(client.readRunLog({ params: { run_id }, query: { after: 1e30 } }), 422);
    });

    test("a log that is too long keeps its beginning and its end, also over several attempts", async (t) => {
      const fixture = await testJobs(t, { engine, realTime: true });
      const client = await fixture.client();
      const { id: run_id } = await client.runJob({ params: { job_id: await fixture.install(manual) } });
      await fixture.jobs.tick();
      const work = await fixture.executor.next();
      for (let n = 0; n < 200; n++) work.line("info", "x".repeat(9000));
      work.line("error", "the reason");
      work.finish();
      await fixture.jobs.idle();
      const params = { run_id };
      const { lines, last, left_out } = await client.readRunLog({ params });
      assert.match(lines[0]?.line ?? "", /^x{8192} … \(9000 characters\)$/);
      assert.equal(lines.at(-1)?.line, "the reason");
      const note = lines.find(({ n }) => n === left_out?.after)?.line ?? "";
      assert.match(note, /^\d+ lines were left out here: a log keeps its first and its last 5000 lines/);
      assert.equal(lines.length + (left_out?.lines ?? 0), last);
      assert.ok(lines.length < 135, `${lines.length} lines`);

      const writer = await fixture.jobs.log.open(run_id);
      for (let n = 0; n < 5_000; n++) writer.line("info", `row ${n}`);
      writer.line("info", "the end");
      await writer.close();
      const again = await client.readRunLog({ params, query: { limit: 10_000 } });
      assert.equal(again.lines.at(-1)?.line, "the end");
      assert.deepEqual([again.last, again.left_out?.after], [last + 5_001, left_out?.after]);
      assert.equal(again.lines.length + (again.left_out?.lines ?? 0), again.last);
      assert.equal(again.lines.length, (left_out?.after ?? 0) + 5_000);
    });
  });
}
