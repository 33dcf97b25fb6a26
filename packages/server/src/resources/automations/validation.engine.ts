import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { AttemptRequest } from "@lakehelm/contract";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { validDesign } from "./test-designs.ts";

/** Folders that validations of this process have left in the temporary folder. */
const leftBehind = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`lakehelm-design-${process.pid}-`));

for (const engine of enginesOfSlowSuites) {
  suite(`validation of artifacts on ${engine}`, () => {
    let time = Date.UTC(2026, 2, 1, 12);
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine, now: () => new Date(time) });
    });
    after(() => server.close());

    /** A registered automation, and functions to write and validate an attempt at its design. */
    async function given() {
      const { client } = server;
      const alias = unique("orders-daily");
      await client.createAutomation({ body: { alias } });
      const params = { automation_alias: alias };
      const attempt = { ...params, attempt_id: "a-1" };
      return {
        client,
        alias,
        params,
        attempt,
        async validated(design: Partial<AttemptRequest>) {
          await client.putAttempt({ params: attempt, body: { tasks: [], ...design } });
          return client.validateArtifacts({ params, body: { attempt_id: "a-1" } });
        },
      };
    }

    test("#3 materializes definition, metadata and bundle, and returns their paths and hash", async () => {
      const { alias, validated } = await given();
      const files = [{ path: "sql/orders.sql", content: "select 1" }];
      const started = performance.now();
      const answer = await validated({ ...validDesign, files, metadata: { team: "sales" } });
      const tookSeconds = (performance.now() - started) / 1000;
      const { design_content_hash: hash, api_response_time_seconds: reported, ...rest } = answer;
      assert.match(hash ?? "", /^sha256:[0-9a-f]{64}$/);
      assert.ok(reported > 0 && reported < tookSeconds, `${reported} of ${tookSeconds} seconds`);
      const paths = [
        "databricks.yml",
        "definition.yaml",
        "metadata.json",
        "resources/automation.job.yml",
        "sql/orders.sql",
        "src/http_task.py",
        "src/sql_task.py",
        "tasks/load.json",
        "tasks/tell.json",
      ];
      const preview = answer.metadata_preview as { files: { path: string; bytes: number }[] };
      assert.deepEqual(rest, {
        success: true,
        attempt_id: "a-1",
        automation_alias: alias,
        validation_status: "passed",
        validation_errors: [],
        files_to_commit: paths.map((path) => `automations/${alias}/${path}`),
        metadata_preview: {
          team: "sales",
          alias,
          tasks: [
            { name: "load", kind: "sql", depends_on: [] },
            { name: "tell", kind: "http", depends_on: ["load"] },
          ],
          next_firings: ["02", "03", "04", "05", "06"].map((day) => `2026-03-${day}T05:00:00.000Z`),
          tables_read: [],
          tables_written: [],
          files: preview.files,
        },
      });
      assert.deepEqual(
        preview.files.map(({ path }) => path),
        paths,
      );
      assert.deepEqual(preview.files[4], { path: "sql/orders.sql", bytes: 8 });
      assert.deepEqual(await leftBehind(), []);
      const crlf = [{ path: "sql/orders.sql", content: "select 1\r\n" }];
      const again = await validated({ ...validDesign, files: crlf, metadata: { team: "sales" } });
      assert.equal(again.design_content_hash, hash);
      const other = await validated({ ...validDesign, files, metadata: { team: "finance" } });
      assert.notEqual(other.design_content_hash, hash);
    });

    /** Every row and, for SQLite, every byte of the database file. */
    async function written() {
      const rows = await server.rows();
      const bytes = createHash("sha256");
      if (engine === "sqlite") {
        for (const name of ["lakehelm.db", "lakehelm.db-wal"]) {
          bytes.update(await readFile(join(server.dataDir, name)));
        }
      }
      return { rows, bytes: bytes.digest("hex"), events: await server.events() };
    }

    test("#3 has no effects, whether it passes or fails: no row, no event, no file", async () => {
      const { client, params, attempt } = await given();
      await client.putAttempt({ params: attempt, body: validDesign });
      await client.putAttempt({ params: { ...params, attempt_id: "bad" }, body: { tasks: [{ name: 1 }] } });
      const before = await written();
      assert.ok(before.events.length > 0 && before.rows.attempts?.length);
      for (const [attempt_id, status] of [
        ["a-1", "passed"],
        ["bad", "failed"],
        ["missing", "failed"],
      ] as const) {
        const answer = await client.validateArtifacts({ params, body: { attempt_id } });
        assert.equal(answer.validation_status, status);
      }
      const unknown = { automation_alias: "nobody" };
      await client.validateArtifacts({ params: unknown, body: { attempt_id: "a-1" } });
      assert.deepEqual(await written(), before);
      assert.deepEqual(await leftBehind(), []);
    });

    test("#3: an unknown automation or attempt is 200 with success false and a message", async () => {
      const { client, alias, params } = await given();
      const body = { attempt_id: "a-9" };
      const validate = async (call: { automation_alias: string }) => {
        const { api_response_time_seconds, ...rest } = await client.validateArtifacts({ params: call, body });
        assert.ok(api_response_time_seconds > 0);
        return rest;
      };
      const failed = {
        success: false,
        attempt_id: "a-9",
        validation_status: "failed",
        files_to_commit: [],
        design_content_hash: null,
        metadata_preview: null,
      };
      assert.deepEqual(await validate(params), {
        ...failed,
        automation_alias: alias,
        validation_errors: [`The automation "${alias}" has no attempt "a-9".`],
      });
      assert.deepEqual(await validate({ automation_alias: "x" }), {
        ...failed,
        automation_alias: "x",
        validation_errors: ['There is no automation "x".'],
      });
    });

    test("#3 honours X-Environment-Id: unknown 404, inactive 409", async () => {
      const { client, params } = await given();
      const call = { params, body: { attempt_id: "a-1" } };
      await refused(client.validateArtifacts({ ...call, environment: "nowhere" }), 404, /nowhere/);
      const old = unique("old");
      await client.createEnvironment({ body: { name: old, isActive: false } });
      await refused(client.validateArtifacts({ ...call, environment: old }), 409, /not active/);
    });

    test("#3 reports every schema problem with its position", async () => {
      const { validated } = await given();
      const answer = await validated({
        tasks: [{ name: "load", kind: "magic", retries: "many", retrys: 2 }, { kind: "sql" }],
        schedule: { cron: 5 },
      });
      assert.equal(answer.success, false);
      assert.deepEqual(answer.validation_errors, [
        "definition.yaml:5:11: tasks[0].kind: Input should be 'sql', 'flow', 'connector', 'pipeline', 'http', 'agent', 'automation', 'python' or 'shell'",
        "definition.yaml:6:14: tasks[0].retries: Input should be a valid integer, unable to parse string as an integer",
        "definition.yaml:8:5: tasks[1].name: Field required",
        "definition.yaml:10:9: schedule.cron: Input should be a valid string",
        "definition.yaml:7:5: tasks[0].retrys: The key is not known. Did you mean retries?",
      ]);
    });

    test("#3 reports every problem at once: a value of the wrong type hides no other problem", async () => {
      const { validated } = await given();
      const content = JSON.stringify({
        tasks: [
          { name: "a", kind: "magic", depends_on: ["nowhere"] },
          { name: "b", kind: "connector", reference: "missing-one", retries: "many" },
          { name: "c", kind: "sql", query: "select no_such_column from (select 1 as x)" },
          { name: "d", kind: "sql", query: "select also_not from (select 1 as x)", depends_on: ["a"] },
          { name: "e f", kind: "http" },
          "no task",
        ],
        schedule: { cron: "61 * * * *", timezone: "Europe/Atlantis" },
        trigger: { continuous: true },
        timeout_seconds: "long",
      });
      const answer = await validated({ files: [{ path: "definition.yaml", content }] });
      assert.equal(answer.success, false);
      assert.deepEqual(
        answer.validation_errors.map((one) => one.replace(/^definition\.yaml(:\d+)*: /, "")),
        [
          "tasks[0].kind: Input should be 'sql', 'flow', 'connector', 'pipeline', 'http', 'agent', 'automation', 'python' or 'shell'",
          "tasks[1].retries: Input should be a valid integer, unable to parse string as an integer",
          "tasks[5]: Input should be a valid dictionary or object to extract fields from",
          "timeout_seconds: Input should be a valid integer, unable to parse string as an integer",
          "trigger: Value error, schedule and trigger cannot be combined",
          'The task name "e f" must have 1 to 100 letters, digits, "_" or "-".',
          'Task "e f" is of kind http and needs an http(s) url.',
          'Task "a" depends on "nowhere", which is not a task of this automation.',
          'The cron expression "61 * * * *" is not valid: "61" in the minute field is not in range: expected 0 to 59, *, a range or a list of these, with an optional /step.',
          'Unknown time zone "Europe/Atlantis": expected a name from the IANA list such as "Europe/Berlin", or "UTC".',
          'Task "b" refers to the connector "missing-one", which does not exist in local.',
          ...answer.validation_errors.slice(-1).map((one) => one.replace(/^definition\.yaml(:\d+)*: /, "")),
        ],
      );
      assert.match(answer.validation_errors.at(-1) ?? "", /Task "c": .*no_such_column/);
    });

    test("#3: an automation without tasks still gets the problems of its schedule", async () => {
      const { validated } = await given();
      const { validation_errors } = await validated({ tasks: [], schedule: { cron: "every day" } });
      assert.match(validation_errors.join("\n"), /has no tasks\.\n.*"every day" has 2 fields/);
    });

    test("the hash that #3 answers is that of the release made from the attempt", async () => {
      const { client, params, validated } = await given();
      const files = [{ path: "sql/orders.sql", content: "select 1\r\n" }];
      const release = async () => {
        const metadata = { attempt_id: "a-1" };
        const body = { ...params, environment: "local", metadata };
        return (await client.syncAutomationRelease({ body })).release;
      };
      const hashes = new Set<string | null>();
      for (const design of [
        validDesign,
        { ...validDesign, files },
        { ...validDesign, files, metadata: { team: "sales" } },
        {
          files: [
            {
              path: "definition.yaml",
              content: "# by hand\ntasks: [{name: a, kind: sql, query: select 1}]\n",
            },
          ],
        },
      ]) {
        const { design_content_hash: validatedHash, validation_errors } = await validated(design);
        assert.deepEqual(validation_errors, []);
        const made = await release();
        assert.deepEqual([made?.design_content_hash, made?.version], [validatedHash, validatedHash]);
        const { automation } = await client.getAutomation({ params });
        assert.equal(automation.design_content_hash, validatedHash);
        assert.equal((await release())?.id, made?.id, "the same call changes nothing");
        hashes.add(validatedHash);
      }
      assert.equal(hashes.size, 4);
    });

    test("#3 finds misspelled keys in an attempt that was sent as fields", async () => {
      const { client, params, attempt, validated } = await given();
      const design = {
        ...validDesign,
        scheduel: {},
        notification: { on_failure: ["C1"] },
        schedule: { cron: "0 6 * * *", tz: "UTC" },
      };
      const [load = {}, tell = {}] = validDesign.tasks;
      const { validation_errors } = await validated({
        ...design,
        tasks: [load, { ...tell, depend_on: [], retrys: 2 }],
      });
      assert.deepEqual(validation_errors, [
        "definition.yaml:13:5: tasks[1].depend_on: The key is not known. Did you mean depends_on?",
        "definition.yaml:14:5: tasks[1].retrys: The key is not known. Did you mean retries?",
        "definition.yaml:17:3: schedule.tz: The key is not known.",
        "definition.yaml:19:1: scheduel: The key is not known. Did you mean schedule?",
        "definition.yaml:20:1: notification: The key is not known. Did you mean notifications?",
      ]);
      const release = { ...params, environment: unique("prod"), metadata: { attempt_id: "a-1" } };
      await client.createEnvironment({ body: { name: release.environment } });
      await refused(
        client.syncAutomationRelease({ body: release }),
        409,
        /"a-1" cannot be released.*scheduel/,
      );
      const kept = await client.getAttempt({ params: attempt });
      assert.deepEqual([kept.scheduel, kept.notification], [{}, design.notification]);
      const { created_at, created_by, updated_at, attempt_id, automation_alias, ...again } = kept;
      assert.deepEqual(await client.putAttempt({ params: attempt, body: again }), kept);
      assert.deepEqual(await client.putAttempt({ params: attempt, body: kept }), kept);
    });

    test("an attempt in YAML is stored verbatim, and problems refer to its lines", async () => {
      const { client, params, attempt } = await given();
      const path = `/api/automations/${params.automation_alias}/attempts/${attempt.attempt_id}`;
      const put = (body: string) =>
        server.fetch(path, { method: "PUT", body, headers: { "content-type": "application/yaml" } });
      const text =
        'schedule: {cron: "61 * * * *"}   # often\ntasks: [{name: a, kind: sql, query: select 1, retrys: 1}]\n';
      assert.equal((await put(text)).status, 200);
      const { files, tasks } = await client.getAttempt({ params: attempt });
      assert.deepEqual([files, tasks], [[{ path: "definition.yaml", content: text }], []]);
      const { validation_errors } = await client.validateArtifacts({ params, body: { attempt_id: "a-1" } });
      assert.deepEqual(validation_errors, [
        "definition.yaml:2:47: tasks[0].retrys: The key is not known. Did you mean retries?",
        'definition.yaml:1:18: The cron expression "61 * * * *" is not valid: "61" in the minute field is not in range: expected 0 to 59, *, a range or a list of these, with an optional /step.',
      ]);
      const secret = await put("tasks:\n  - parameters: {password: hunter2}\n");
      assert.equal(secret.status, 409);
      assert.match(await secret.text(), /definition\.yaml:2:28: .*A secret must be a reference/);
      // A YAML body with more than a definition is stored as fields, like JSON.
      assert.equal((await put("tasks: [{name: a}]\nmetadata: {team: sales}\n")).status, 200);
      const read = await client.getAttempt({ params: attempt });
      assert.deepEqual([read.tasks, read.files, read.metadata], [[{ name: "a" }], [], { team: "sales" }]);
    });

    test("#3 reports duplicate task names", async () => {
      const { validated } = await given();
      const [load = {}] = validDesign.tasks;
      const { validation_errors } = await validated({ tasks: [load, load] });
      assert.deepEqual(validation_errors, ['definition.yaml:12:11: Two tasks are named "load".']);
    });

    test("#3 reports a password in a URL, and the attempt does not store it", async () => {
      const { client, attempt, validated } = await given();
      const url = "https://ada:hunter4@example.com/hook";
      const { validation_errors } = await validated({ tasks: [{ name: "a", kind: "http", url }] });
      assert.match(
        validation_errors.join(),
        /^definition\.yaml:8:10: Task "a": The URL must not contain a user/,
      );
      const { tasks } = await client.getAttempt({ params: attempt });
      assert.equal(tasks[0]?.url, "https://ada:********@example.com/hook");
      assert.doesNotMatch(JSON.stringify(await server.rows()), /hunter4/);
      const files = [{ path: "definition.yaml", content: `tasks: [{name: a, kind: http, url: "${url}"}]\n` }];
      await refused(
        client.putAttempt({ params: attempt, body: { files } }),
        409,
        /definition\.yaml:1:36: .*The URL contains a secret/,
      );
    });

    test("#3 validates cron, time zone, dependencies and references", async () => {
      const { client, validated } = await given();
      const [orders, nightly, desk] = ["orders-in", "nightly", "order-desk"].map(unique) as string[];
      await client.createConnector({
        body: { name: orders as string, target_type: "csv", target_config: null, created_by: "ada" },
      });
      const libraries = [{ file: { path: "pipelines/nightly.sql" } }];
      await client.createPipeline({ body: { name: nightly as string, libraries } });
      await client.createAgent({ body: { name: desk as string } });
      const elsewhere = unique("daily");
      const other = await client.createEnvironment({ body: { name: unique("other") } });
      await client.createPipeline({ body: { name: elsewhere, libraries }, environment: other.id });
      const runs = (name: string, kind: string, reference = "") => ({ name, kind, reference });
      const answer = await validated({
        tasks: [
          runs("a", "connector", orders),
          runs("b", "connector", "orders-out"),
          runs("c", "pipeline", nightly),
          runs("d", "pipeline", elsewhere),
          runs("e", "agent", desk),
          runs("f", "agent", "nobody"),
          { ...runs("g", "flow", "any"), depends_on: ["h"] },
        ],
        schedule: { cron: "* * *", timezone: "Europe/Atlantis" },
      });
      assert.deepEqual(answer.validation_errors, [
        'definition.yaml:55:9: Task "g" depends on "h", which is not a task of this automation.',
        'definition.yaml:62:9: The cron expression "* * *" has 3 fields: expected five (minute, hour, day of month, month, day of week), or six with seconds first.',
        'definition.yaml:63:13: Unknown time zone "Europe/Atlantis": expected a name from the IANA list such as "Europe/Berlin", or "UTC".',
        'definition.yaml:16:16: Task "b" refers to the connector "orders-out", which does not exist in local.',
        `definition.yaml:32:16: Task "d" refers to the pipeline "${elsewhere}", which does not exist in local.`,
        'definition.yaml:48:16: Task "f" refers to the agent "nobody", which does not exist.',
        'definition.yaml:57:16: Task "g" refers to the flow "any", which does not exist in local.',
      ]);
    });

    test("#3 rejects duplicate paths and paths outside the folder", async () => {
      const { validated } = await given();
      const files = ["../x", "a.sql", "a.sql"].map((path) => ({ path, content: "" }));
      assert.deepEqual((await validated({ ...validDesign, files })).validation_errors, [
        '"../x" points outside its folder.',
        '"a.sql" appears twice.',
      ]);
    });

    test("#3 accepts secrets only by reference, and an attempt stores none", async () => {
      const { validated } = await given();
      const answer = await validated({
        ...validDesign,
        tasks: [{ name: "a", kind: "sql", query: "select 1", parameters: { db_password: "hunter2" } }],
        parameters: { api_key: "{{secrets/shop/key}}" },
        metadata: { deploy: { token: "hunter2" } },
        files: [
          { path: "conf/app.json", content: '{"clientSecret":"hunter3"}' },
          { path: "conf/app.yml", content: "ok: 1\nlist:\n  - access_key: hunter3\n" },
          { path: "conf/broken.yaml", content: "{{ template }}: [" },
          { path: "conf/text.json", content: '"password"' },
        ],
      });
      const sentence = "A secret must be a reference: {{secrets/<scope>/<key>}}.";
      assert.deepEqual(answer.validation_errors, [
        `definition.yaml:10:20: tasks[0].parameters.db_password: ${sentence}`,
        `conf/app.json:1:17: clientSecret: ${sentence}`,
        `conf/app.yml:3:17: list[0].access_key: ${sentence}`,
        `metadata.json:1:20: deploy.token: ${sentence}`,
      ]);
      assert.doesNotMatch(JSON.stringify([answer, await server.rows()]), /hunter2/);
    });

    test("#3 answers oversized and hostile designs with a message", async () => {
      const { validated } = await given();
      let deep: unknown = 1;
      for (let n = 0; n < 500; n++) deep = { deep };
      const answer = await validated({ ...validDesign, parameters: { deep } });
      assert.deepEqual(answer.validation_errors, [
        "definition.yaml: The definition is nested deeper than 32 levels.",
      ]);
      const bomb = `a: &a [x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f"]
        .map((name, n) => `${name}: &${name} [${Array(8).fill(`*${"abcde"[n]}`)}]`)
        .join("\n")}`;
      const files = [
        { path: "bomb.yaml", content: bomb },
        { path: "deep.yaml", content: "[".repeat(50_000) },
        { path: "long.yaml", content: "x".repeat(100_001) },
      ];
      assert.deepEqual((await validated({ ...validDesign, files })).validation_errors, [
        "long.yaml: It has more than 100000 characters.",
      ]);
    });

    test("an attempt is stored and read; storing the same again changes nothing; If-Match is honoured", async () => {
      const { client, attempt } = await given();
      const put = (ifMatch?: string) =>
        client.withResponse.putAttempt({
          params: attempt,
          body: validDesign,
          ...(ifMatch !== undefined && { ifMatch }),
        });
      await refused(client.getAttempt({ params: attempt }), 404, /no attempt "a-1"/);
      await refused(put('"1"'), 412, /"a-1" does not exist yet/);
      const { body, etag } = await put();
      assert.equal(etag, '"1"');
      assert.deepEqual(body.tasks, validDesign.tasks);
      const before = await server.rows();
      time += 1000;
      assert.deepEqual((await put('"1"')).body, body);
      assert.deepEqual(await server.rows(), before);
      const changed = await client.putAttempt({ params: attempt, body: { tasks: [] } });
      assert.equal(changed.created_at, body.created_at);
      assert.notEqual(changed.updated_at, body.updated_at);
      await refused(put('"1"'), 412, /changed since/);
      assert.deepEqual(await client.getAttempt({ params: attempt }), changed);
      await refused(
        client.putAttempt({ params: { automation_alias: "x", attempt_id: "a" }, body: validDesign }),
        404,
        /no automation "x"/,
      );
    });

    test("two concurrent writes of the same attempt succeed with one row", async () => {
      const { client, params, attempt } = await given();
      await Promise.all([1, 2, 3].map(() => client.putAttempt({ params: attempt, body: validDesign })));
      const { automation } = await client.getAutomation({ params });
      const mine = (await server.rows()).attempts?.filter(({ owner }) => owner === automation.id);
      assert.equal(mine?.length, 1);
    });

    test("#18 returns the result of a query or its problem, without side effects", async () => {
      const { client } = server;
      const before = await written();
      const valid = await client.validateQuery({ body: { query: "select 41 + 1" } });
      assert.deepEqual([valid.success, valid.result, valid.error], [true, 42, null]);
      for (const query of ["drop table x", "", "select \u0000"]) {
        const { error, ...answer } = await client.validateQuery({ body: { query } });
        assert.deepEqual(answer, { success: false, result: 0, message: null });
        assert.ok(error, query);
      }
      assert.deepEqual(await written(), before);
    });

    test("#18 honours X-Environment-Id: unknown 404, inactive 409; a query that is not a string is 422", async () => {
      const { client } = server;
      const body = { query: "select 1" };
      await refused(client.validateQuery({ body, environment: "nowhere" }), 404, /nowhere/);
      const old = unique("old");
      await client.createEnvironment({ body: { name: old, isActive: false } });
      await refused(client.validateQuery({ body, environment: old }), 409, /not active/);
      await refused(client.validateQuery({ body: { query: 5 as unknown as string } }), 422);
    });
  });
}
