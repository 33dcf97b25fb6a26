import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { unknownFields } from "../project/checks/schema-check.ts";
import { lakehelm } from "../testing/terminal.ts";

/** No server listens on this port, so a command that sends a request fails with another error. */
const env = { LAKEHELM_CONFIG_DIR: "/nonexistent", LAKEHELM_URL: "http://127.0.0.1:9", LAKEHELM_TOKEN: "t" };
const reached = /No answer from http:\/\/127\.0\.0\.1:9/;
const run = (line: string, stdin = "", more = {}) => lakehelm(line.split(" "), { env, stdin, ...more });

suite("mistakes that the API would store or ignore", () => {
  test("no request of the contract's examples has a field that is unknown", () => {
    let count = 0;
    for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      const { body, example } = endpoint as Endpoint & { example?: { body?: unknown } };
      if (body === undefined || body === "bytes" || example?.body === undefined) continue;
      count += 1;
      assert.deepEqual(unknownFields(body, example.body), [], name);
    }
    assert.ok(count > 20, String(count));
  });

  test("unknown fields are refused with the nearest one, at any depth", async () => {
    for (const [request, expected] of [
      ['{"schedule_crom": "0 6 * * *"}', /schedule_crom.*Did you mean schedule_cron\?/],
      ['{"datasets": [{"source_dataset": "a", "target_name": "a", "primary_key": ["a"]}]}', /primary_keys/],
    ] as const) {
      const base = { name: "a", target_type: "csv", target_config: {}, created_by: "ada" };
      const body = JSON.stringify({ ...base, ...(JSON.parse(request) as object) });
      const { code, stderr } = await run("connectors create -f -", body);
      assert.deepEqual([code, expected.test(stderr)], [2, true], stderr);
      const sent = await run("connectors create -f - --unchecked", body);
      assert.match(sent.stderr, reached);
    }
  });

  test("an unknown platform, and a remote without its scheme, are refused", async () => {
    const platform = await run("environments create --name a --platform sparc");
    assert.deepEqual(
      [platform.code, /"sparc" is not known.*Did you mean spark\?/.test(platform.stderr)],
      [2, true],
    );
    const remote = await run(
      "environments create --name a --platform spark --set configuration.remote=host:15002",
    );
    assert.deepEqual([remote.code, /sc:\/\/host:15002/.test(remote.stderr)], [2, true]);
    for (const line of [
      "environments create --name a --platform spark --set configuration.remote=sc://host:15002",
      "environments create --name a --platform sparc --unchecked",
    ])
      assert.match((await run(line)).stderr, reached);
  });

  test("a schedule that no run follows is said before the request is sent", async () => {
    const line =
      "connectors create --name a --target-type csv --set target_config.path=a --execution-mode manual";
    const { stderr } = await lakehelm([...line.split(" "), "--schedule-cron", "0 6 * * *"], { env });
    assert.match(stderr, /^schedule_cron: it is not used, because execution_mode is manual\..*\n/);
    assert.match(stderr, reached);
    assert.doesNotMatch((await run(line)).stderr, /schedule_cron/);
  });

  test("a terminal is asked before something is deleted; a script is not", async () => {
    const typed = (answer: string, flag = "") =>
      run(`connectors delete orders${flag}`, answer, { isTyped: true });
    const no = await typed("n\n");
    assert.deepEqual([no.code, /Nothing was changed/.test(no.stderr)], [1, true]);
    for (const { stderr } of [
      await typed("y\n"),
      await typed("", " --yes"),
      await run("connectors delete orders"),
    ])
      assert.match(stderr, reached);
  });

  test("with -o json, errors are JSON: of the command line, of the command, and of the server", async () => {
    for (const line of [
      "connectors lst -o json",
      "connectors get -o json",
      "-o json connectors list",
      "connectors list --output=jsonl",
      "environments create --name a --platform sparc -o json",
    ]) {
      const { code, stderr } = await run(line);
      assert.notEqual(code, 0);
      const { error } = JSON.parse(stderr) as { error: { message: string } };
      assert.doesNotMatch(error.message, /^error/i, line);
      assert.ok(error.message.length > 10, line);
    }
  });
});
