import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { pino } from "pino";
import { StateUnavailable } from "./errors.ts";
import { quietOutages } from "./log.ts";

/** The output of a separate process: the log goes to its standard output. */
function written(environment: "development" | "production", level: string): string {
  const script = `
    const { createLog } = await import(${JSON.stringify(new URL("./log.ts", import.meta.url).href)});
    const { log } = createLog({ PLATFORM_ENV: ${JSON.stringify(environment)}, PLATFORM_LOG_LEVEL: ${JSON.stringify(level)} });
    log.debug("quiet");
    log.info({ request: "r-1", method: "POST", path: "/x", status: 409, detail: "Taken." }, "rejected");
    log.info({ body: { password: "s3cret", token: "s3cret", client_secret: "s3cret" } }, "careless");
    log.info({ headers: { authorization: "s3cret", "x-service-auth": "s3cret" } }, "careless");
    const long = "x".repeat(1_000_000);
    log.info({ detail: long, list: Array(5_000).fill(long), nested: { a: { b: { c: { d: [long] } } } }, [long]: 1 }, "long");
    log.info({ err: new Error(long) }, "long");
    log.error({ request: "r-2", err: new Error("broken") }, "failed");
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout;
}

test("in production every line is JSON, with time, level and the request's id", () => {
  const lines = written("production", "info")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ level, msg }) => `${level} ${msg}`),
    ["info rejected", "info careless", "info careless", "info long", "info long", "error failed"],
  );
  assert.match(lines[0].time, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(lines[0].request, "r-1");
  assert.match(lines[5].err.stack, /Error: broken\n/);
});

test("in development lines are human-readable", () => {
  const text = written("development", "info");
  assert.match(text, /^\d\d:\d\d:\d\d info {2}rejected POST \/x 409 Taken\. \[r-1\]$/m);
  assert.match(text, /^\d\d:\d\d:\d\d error failed \[r-2\]\nError: broken\n/m);
});

test("both formats redact secrets and respect the level", () => {
  for (const environment of ["production", "development"] as const) {
    assert.doesNotMatch(written(environment, "info"), /s3cret|quiet/);
    assert.match(written(environment, "debug"), /quiet/);
    assert.doesNotMatch(written(environment, "error"), /rejected/);
    assert.equal(written(environment, "silent"), "");
  }
});

test("no line is longer than 20,000 characters, whatever is logged", () => {
  for (const environment of ["production", "development"] as const) {
    const longest = Math.max(
      ...written(environment, "info")
        .split("\n")
        .map((line) => line.length),
    );
    assert.ok(longest > 2_000 && longest < 20_000, `${longest}`);
  }
});

test("a task says once a minute that the database is away, without a stack; other errors are all logged", () => {
  const lines: Record<string, unknown>[] = [];
  let ms = 0;
  const hooks = { logMethod: quietOutages(() => ms) };
  const log = pino({ base: null, hooks }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const away = new StateUnavailable("The database is unreachable.", new Error("read ECONNRESET"));
  for (; ms < 60_000; ms += 500) {
    log.error({ err: away, topic: "chat" }, "one task failed");
    log.error({ err: new Error("wrapped", { cause: away }) }, "another task failed");
  }
  assert.deepEqual(
    lines.map(({ msg, reason, topic, err }) => [msg, reason, topic, err]),
    [
      ["one task failed", "The database is unreachable. (read ECONNRESET)", "chat", undefined],
      ["another task failed", "wrapped (The database is unreachable.)", undefined, undefined],
    ],
  );
  log.error({ err: away }, "one task failed");
  for (let n = 0; n < 3; n++) log.error({ err: new Error("a bug") }, "one task failed");
  assert.equal(lines.length, 6);
  assert.match(JSON.stringify(lines.at(-1)?.err), /stack/);
});
