/** Attacks on files of the machine through connectors, triggers and SQL, and legitimate use that must still work. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { withDuckdb } from "../packages/engine/src/testing/duckdb.ts";
import { startProcess, testHome } from "../packages/server/src/testing/process.ts";
import { type Caller, startTarget, type Target } from "./target.ts";

interface Attempt {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** For a source: the dataset to read. For a target: the table's name. */
  readonly dataset: string;
  /** Whether the table `orders`, which a target receives, exists. */
  readonly isTarget?: boolean;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Starts a server with an environment, its exchange folder, and a table `orders` with one row. */
async function start(t: TestContext, settings: Record<string, string> = {}) {
  const target = await startTarget(t, { settings });
  const exchange = `${target.dataDir}-exchange`;
  t.after(() => rm(exchange, { recursive: true, force: true }));
  const { id: environment } = await target.admin.client.createEnvironment({
    body: { name: "dev", configuration: { catalog: "shop", schema: "raw" } },
  });
  return { ...target, exchange, environment };
}
type Started = Awaited<ReturnType<typeof start>>;

let made = 0;

/** Creates a connector as the operator, and tries all its actions. Returns everything that the server says about it. */
async function use(
  { operator, environment }: Pick<Started, "operator" | "environment">,
  { type, config, dataset, isTarget = false, body = {} }: Attempt,
) {
  const { client } = operator;
  made += 1;
  const name = `attempt-${made}`;
  const datasets = [
    isTarget
      ? { source_dataset: "orders", target_name: dataset, primary_keys: [], write_strategy: "append" }
      : { source_dataset: dataset, target_name: `copy_${made}` },
  ];
  const target = isTarget
    ? { target_type: type, target_config: config }
    : { target_type: "warehouse", target_config: { connection: { name: "x", type, config } } };
  const said: unknown[] = [];
  const ask = async (question: Promise<unknown>) => {
    const answer = await question.catch((error: unknown) => String(error));
    said.push(answer);
    return answer;
  };
  const created = await ask(
    client.createConnector({
      body: { name, created_by: "eve", execution_mode: "manual", datasets, ...target, ...body } as never,
      environment,
    }),
  );
  const { id } = created as { id?: string };
  if (id === undefined) return { said: JSON.stringify(said), succeeded: false, table: "" };
  const params = { connector_id: id };
  await ask(client.checkConnector({ params }));
  await ask(client.discoverConnector({ params }));
  await ask(client.previewConnector({ params }));
  const run = (await ask(client.runJob({ params: { job_id: `connector-${id}` } }))) as { id?: string };
  let succeeded = false;
  for (let tries = 0; run.id !== undefined && tries < 600; tries++) {
    const found = await client.getRun({ params: { run_id: run.id } });
    if (["queued", "running"].includes(found.status)) {
      await pause(100);
      continue;
    }
    said.push(found, await client.readRunLog({ params: { run_id: run.id } }).catch(String));
    succeeded = found.status === "succeeded";
    break;
  }
  return { said: JSON.stringify(said), succeeded, table: `shop.raw.copy_${made}` };
}

async function query({ viewer, environment }: Pick<Started, "viewer" | "environment">, sql: string) {
  return viewer.client.runQuery({ body: { sql }, environment }).then(
    (answer) => JSON.stringify(answer),
    (error: unknown) => String(error),
  );
}

async function refuses(started: Started, attempt: Attempt, reason: RegExp, secrets: readonly string[] = []) {
  const { said, succeeded } = await use(started, attempt);
  const which = JSON.stringify({ ...attempt.config, dataset: attempt.dataset });
  assert.equal(succeeded, false, `${which} must not succeed: ${said}`);
  assert.match(said, reason, which);
  for (const secret of secrets) assert.ok(!said.includes(secret), `${which} shows a secret`);
}

/** One row, so that a target has something to write. */
async function fillOrders(started: Started): Promise<void> {
  await writeFile(join(started.exchange, "seed.csv"), "id,note\n1,hello\n");
  const { said, succeeded } = await use(started, {
    type: "files",
    config: { path: started.exchange, format: "csv" },
    dataset: "seed.csv",
    body: {
      datasets: [{ source_dataset: "seed.csv", target_name: "orders" }],
    },
  });
  assert.ok(succeeded, said);
}

const writeDuckdb = (path: string, sql: string) =>
  withDuckdb((duck) => duck.run(`ATTACH '${path}' AS made; USE made; ${sql}; USE memory; DETACH made`));

const refusal =
  /cannot be used: connectors may use only|belongs to the operating system|Lakehelm's data folder/;

suite("files", () => {
  test("an operator reads no file outside the exchange folder", async (t) => {
    const started = await start(t);
    const { server, scratch, exchange, dataDir } = started;
    const { pid } = server.child;
    const secrets = [server.token, readFileSync(join(dataDir, "secret-key"), "utf8").trim(), "t0p-s3cret"];
    await writeFile(join(scratch, "secret.csv"), "id\nt0p-s3cret\n");
    new DatabaseSync(join(scratch, "secret.db")).exec("CREATE TABLE t AS SELECT 't0p-s3cret' AS x");
    await writeDuckdb(join(scratch, "secret.duckdb"), "CREATE TABLE t AS SELECT 't0p-s3cret' AS x");

    // The reported attack: reads the server's environment as a CSV in UTF-16, so that its content becomes a column
    // name.
    for (const path of [`/proc/${pid}`, "/proc/self", "/proc/thread-self", "/proc/self/root/proc/1"]) {
      for (const encoding of ["utf-16", "utf-8"]) {
        await refuses(
          started,
          {
            type: "files",
            config: { path, format: "csv", encoding, options: { encoding } },
            dataset: "environ",
          },
          /belongs to the operating system/,
          secrets,
        );
      }
    }
    const folders = [
      "/",
      "/etc",
      "/root",
      "/sys",
      "/dev",
      "/dev/fd",
      homedir(),
      process.cwd(),
      scratch,
      dataDir,
      `${dataDir}/warehouse`,
      `${exchange}/..`,
      `${exchange}/../../..`,
      `${exchange}/../${scratch.split("/").at(-1)}`,
      `/proc/self/root${scratch}`,
      `${exchange}-of-another`,
      `${exchange}//../${dataDir.split("/").at(-1)}`,
    ];
    for (const path of folders) {
      await refuses(
        started,
        { type: "files", config: { path, format: "csv" }, dataset: "**" },
        refusal,
        secrets,
      );
    }
    for (const [type, file] of [
      ["sqlite", "secret.db"],
      ["duckdb", "secret.duckdb"],
    ] as const) {
      for (const path of [join(scratch, file), `${exchange}/../${scratch.split("/").at(-1)}/${file}`]) {
        await refuses(started, { type, config: { path }, dataset: "t" }, refusal, secrets);
      }
      for (const path of [
        `file:${scratch}/${file}`,
        `file://${scratch}/${file}?mode=ro`,
        "secret.db",
        "~/x",
        ":memory:",
      ]) {
        await refuses(started, { type, config: { path }, dataset: "t" }, /is not absolute/, secrets);
      }
    }
    await refuses(
      started,
      { type: "sqlite", config: { path: join(dataDir, "lakehelm.db") }, dataset: "users" },
      refusal,
      secrets,
    );
  });

  test("links, dots and patterns do not lead out of the exchange folder", async (t) => {
    const started = await start(t);
    const { scratch, exchange, dataDir, server } = started;
    const secrets = [server.token, "t0p-s3cret"];
    await writeFile(join(scratch, "secret.csv"), "id\nt0p-s3cret\n");
    await mkdir(join(exchange, "in"));
    await writeFile(join(exchange, "in/orders.csv"), "id\n1\n");
    for (const [to, name] of [
      [scratch, "folder"],
      [join(scratch, "secret.csv"), "file.csv"],
      [dataDir, "data"],
      ["/proc/self", "process"],
      ["/", "all"],
      ["folder", "chain"],
    ] as const) {
      await symlink(to, join(exchange, "in", name));
    }
    const reason = new RegExp(
      `${refusal.source}|leads outside|There is no file|leaves the connection|must be below|cannot be used: |contains a backslash`,
    );
    for (const name of ["folder", "data", "process", "all", "chain", "all/etc", `all${scratch}`]) {
      const config = { path: join(exchange, "in", name), format: "csv" };
      await refuses(started, { type: "files", config, dataset: "*" }, reason, secrets);
    }
    const config = { path: join(exchange, "in"), format: "csv" };
    for (const dataset of [
      "file.csv",
      "folder",
      "folder/secret.csv",
      "folder/*.csv",
      "f[o]lder/*.csv",
      "{folder,process}/*",
      "process/environ",
      "pr[o]cess/environ",
      "**/environ",
      "all/etc/passwd",
      "../../secret.csv",
      "{..,x}/*",
      "..\\secret.csv",
      `${scratch}/secret.csv`,
      `file://${scratch}/secret.csv`,
      `/proc/self/environ`,
      "*a*a*a*a*a*a*b",
      "{1..100000000}",
      "{a,b}".repeat(30),
    ]) {
      await refuses(started, { type: "files", config, dataset }, reason, secrets);
    }
    // Legitimate use: files beside those links, by name and by pattern.
    for (const dataset of ["orders.csv", "o[r]ders.*", "{orders,other}.csv"]) {
      const { said, succeeded } = await use(started, { type: "files", config, dataset });
      assert.ok(succeeded, said);
    }
    assert.match(
      await query(started, `SELECT count(*) AS n FROM shop.raw.copy_${made}`),
      /"n":1|\[1\]|\["1"\]/,
    );
  });

  test("a path is checked when it is opened: a later link changes nothing", async (t) => {
    const started = await start(t);
    const { scratch, exchange, operator, environment } = started;
    await mkdir(join(exchange, "shop"));
    for (const [folder, value] of [
      [join(exchange, "shop"), "mine"],
      [scratch, "t0p-s3cret"],
    ] as const) {
      await writeFile(join(folder, "orders.csv"), `id\n${value}\n`);
      new DatabaseSync(join(folder, "orders.db")).exec(`CREATE TABLE t AS SELECT '${value}' AS x`);
    }
    for (const [type, path, dataset] of [
      ["files", join(exchange, "shop"), "orders.csv"],
      ["sqlite", join(exchange, "shop/orders.db"), "t"],
    ] as const) {
      const config = type === "files" ? { path, format: "csv" } : { path };
      const { id } = await operator.client.createConnector({
        body: {
          name: `swap-${type}`,
          created_by: "eve",
          execution_mode: "manual",
          target_type: "warehouse",
          target_config: { connection: { name: "x", type, config } },
          datasets: [{ source_dataset: dataset, target_name: `swap_${type}` }],
        },
        environment,
      });
      const params = { connector_id: id };
      const before = JSON.stringify(await operator.client.previewConnector({ params }));
      assert.match(before, /mine/);
      await rename(join(exchange, "shop"), join(exchange, "aside"));
      await symlink(scratch, join(exchange, "shop"));
      const after = await operator.client.previewConnector({ params }).then(JSON.stringify, String);
      assert.doesNotMatch(after, /t0p-s3cret/);
      assert.match(after, refusal);
      await rm(join(exchange, "shop"));
      await rename(join(exchange, "aside"), join(exchange, "shop"));
      assert.match(JSON.stringify(await operator.client.previewConnector({ params })), /mine/);
    }
  });

  test("an operator writes no file outside the exchange folder, and writes files of every kind in it", async (t) => {
    const started = await start(t);
    const { scratch, exchange, dataDir } = started;
    await fillOrders(started);
    await mkdir(join(scratch, ".ssh"));
    await symlink(join(scratch, ".ssh/authorized_keys"), join(exchange, "dangling"));
    await symlink(scratch, join(exchange, "folder"));
    await symlink(join(scratch, ".ssh/other"), join(exchange, "crm.db-journal"));
    await symlink(join(scratch, ".ssh/other"), join(exchange, "crm.duckdb.wal"));
    const before = await readdir(join(dataDir));
    for (const type of ["sqlite", "duckdb"]) {
      for (const path of [
        join(scratch, ".ssh/authorized_keys"),
        join(scratch, "new.ts"),
        join(process.cwd(), "packages/server/src/new.ts"),
        join(dataDir, "new"),
        join(dataDir, "warehouse/new"),
        join(exchange, "dangling"),
        join(exchange, "folder/new"),
        join(exchange, "../new"),
        "/dev/shm/lakehelm-new",
      ]) {
        await refuses(started, { type, config: { path }, dataset: "t", isTarget: true }, refusal);
      }
    }
    for (const type of ["csv", "jsonl", "parquet"]) {
      for (const path of [
        scratch,
        dataDir,
        process.cwd(),
        join(exchange, "folder"),
        `${exchange}/..`,
        "/dev/shm",
      ]) {
        await refuses(started, { type, config: { path }, dataset: "t", isTarget: true }, refusal);
      }
      for (const dataset of ["../t", "a/b", "..", ".hidden", "a\\b"]) {
        const attempt = { type, config: { path: exchange }, dataset, isTarget: true };
        await refuses(started, attempt, /is not a valid file name/);
      }
    }
    await refuses(
      started,
      { type: "sqlite", config: { path: join(exchange, "crm.db") }, dataset: "t", isTarget: true },
      /is not a regular file/,
    );
    await refuses(
      started,
      { type: "duckdb", config: { path: join(exchange, "crm.duckdb") }, dataset: "t", isTarget: true },
      /is not a regular file/,
    );
    assert.deepEqual(await readdir(join(scratch, ".ssh")), []);
    assert.deepEqual(await readdir(scratch), [".ssh"]);
    assert.deepEqual((await readdir(dataDir)).sort(), before.sort());
    assert.ok(!existsSync("/dev/shm/lakehelm-new"));

    for (const [type, file] of [
      ["sqlite", "out.db"],
      ["duckdb", "out.duckdb"],
      ["csv", ""],
      ["jsonl", ""],
      ["parquet", ""],
    ] as const) {
      const config = { path: join(exchange, file) };
      const { said, succeeded } = await use(started, { type, config, dataset: "out", isTarget: true });
      assert.ok(succeeded, said);
    }
    const written = await readdir(exchange);
    for (const name of ["out.db", "out.duckdb", "out"]) assert.ok(written.includes(name), written.join());
    assert.deepEqual((await readdir(join(exchange, "out"))).sort(), [
      "part-000001.csv",
      "part-000001.jsonl",
      "part-000001.parquet",
    ]);
  });

  test("a foreign database reaches nothing but itself", async (t) => {
    const started = await start(t);
    const { scratch, exchange, server, dataDir } = started;
    const token = join(scratch, "service-token");
    await writeFile(token, "t0p-s3cret");
    const secrets = [server.token, "t0p-s3cret"];
    await writeDuckdb(
      join(exchange, "hostile.duckdb"),
      `CREATE TABLE plain AS SELECT 7 AS seven; CREATE VIEW own AS SELECT seven + 1 AS eight FROM plain;
       CREATE VIEW text AS SELECT content FROM read_text('${token}');
       CREATE VIEW blob AS SELECT * FROM read_blob('/proc/self/environ');
       CREATE VIEW csv AS SELECT * FROM read_csv('${token}', header = false);
       CREATE VIEW listing AS SELECT * FROM glob('${dataDir}/*');
       CREATE MACRO m(p) AS TABLE SELECT * FROM read_text(p); CREATE VIEW macro AS SELECT * FROM m('${token}');
       CREATE VIEW nested AS SELECT * FROM query('FROM read_text(''${token}'')');`,
    );
    const config = { path: join(exchange, "hostile.duckdb") };
    for (const dataset of ["text", "blob", "csv", "listing", "macro", "nested"]) {
      await refuses(
        started,
        { type: "duckdb", config, dataset },
        /a view in it reads|cannot be read/,
        secrets,
      );
    }
    for (const dataset of ["plain", "own"]) {
      const { said, succeeded } = await use(started, { type: "duckdb", config, dataset });
      assert.ok(succeeded, said);
    }

    const sqlite = join(exchange, "hostile.db");
    const database = new DatabaseSync(sqlite);
    database.exec(
      `CREATE TABLE plain (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO plain VALUES (1, 'a');
       CREATE VIEW own AS SELECT upper(note) AS note FROM plain;
       CREATE VIEW extension AS SELECT load_extension('${token}') AS x;
       CREATE TABLE typed (a "STRUCT(a INTEGER)); ATTACH '${token}' AS z; SELECT CAST(1 AS INTEGER[]");
       INSERT INTO typed VALUES ('x');
       CREATE TRIGGER stolen AFTER INSERT ON plain BEGIN SELECT load_extension('${token}'); END;`,
    );
    database.close();
    await refuses(
      started,
      { type: "sqlite", config: { path: sqlite }, dataset: "extension" },
      /unsafe use|not authorized/,
      secrets,
    );
    for (const dataset of ["plain", "own", "typed"]) {
      const { said, succeeded } = await use(started, { type: "sqlite", config: { path: sqlite }, dataset });
      assert.ok(succeeded, said);
    }
    // If a journal names another file, SQLite deletes that file.
    const name = Buffer.from(token);
    const sums = Buffer.alloc(8);
    sums.writeUInt32BE(name.length, 0);
    sums.writeUInt32BE(
      name.reduce((sum, byte) => sum + byte, 0),
      4,
    );
    const mark = Buffer.from("d9d505f920a163d7", "hex");
    await writeFile(
      `${sqlite}-journal`,
      Buffer.concat([mark, Buffer.alloc(512), Buffer.alloc(4), name, sums, mark]),
    );
    for (const isTarget of [true, false]) {
      const attempt = { type: "sqlite", config: { path: sqlite }, dataset: "plain", isTarget };
      if (isTarget) await fillOrders(started);
      await refuses(started, attempt, /its journal names another file/);
    }
    assert.equal(await readFile(token, "utf8"), "t0p-s3cret");
  });

  test("file triggers watch granted folders only, and do so there", async (t) => {
    const started = await start(t, { PLATFORM_FILE_LOOK_SECONDS: "1" });
    const { dataDir, exchange, scratch, operator, environment } = started;
    const near = dataDir.replace(/(.)$/, "[$1]");
    await symlink(scratch, join(exchange, "link"));
    await writeFile(join(scratch, "s3cret-name.csv"), "id\n1\n");
    const watch = async (path: string) => {
      made += 1;
      const { id } = await operator.client.createConnector({
        body: {
          name: `watch-${made}`,
          created_by: "eve",
          execution_mode: "file_arrival",
          file_arrival_config: { path, wait_after_last_change_seconds: 0 },
          target_type: "warehouse",
          target_config: {
            connection: { name: "x", type: "files", config: { path: exchange, format: "csv" } },
          },
          datasets: [{ source_dataset: "*.csv", target_name: `watch_${made}` }],
        },
        environment,
      });
      return id;
    };
    const stateOf = async (id: string) => {
      const params = { job_id: `connector-${id}` };
      const job = await operator.client.getJob({ params }).then(JSON.stringify, String);
      const connector = JSON.stringify(await operator.client.getConnector({ params: { connector_id: id } }));
      const runs = await operator.client
        .listRuns({ query: { job: params.job_id } })
        .then(JSON.stringify, String);
      return `${job} ${connector} ${runs}`;
    };
    const attempts: string[] = [];
    for (const path of [
      "/root",
      "/root/*",
      "/**",
      "/*",
      "/",
      "/proc/[0-9]*",
      dataDir,
      `${dataDir}/*`,
      `${near}/*`,
      `${dataDir.slice(0, -1)}?/*`,
      `${dataDir}*/**`,
      `${exchange}/../**`,
      `${exchange}/{..,x}/*`,
      scratch,
      `${exchange}/link`,
      `${exchange}/link/*`,
      `/proc/self/root${scratch}/*`,
    ]) {
      attempts.push(await watch(path));
    }
    const good = await watch(`${exchange}/*.csv`);
    await pause(1_500);
    await writeFile(join(exchange, "new.csv"), "id\n1\n");
    for (let tries = 0; !(await stateOf(good)).includes('"succeeded"'); tries++) {
      assert.ok(tries < 300, await stateOf(good));
      await pause(100);
    }
    for (const id of attempts) {
      const state = await stateOf(id);
      assert.doesNotMatch(state, /s3cret-name|secret-key|"status":"(queued|running|succeeded)"/);
    }
    const long = `${"{a,b}".repeat(10)}${"?".repeat(9_000)}`;
    for (const pattern of ["*a*a*a*a*b", "{1..1000000}", "{a,b}".repeat(20), "+(a|b)*", long]) {
      assert.match(await stateOf(await watch(`${exchange}/${pattern}`)), /cannot be used/);
    }
    // An accepted pattern is compared with the worst file name every second, in the thread that answers requests.
    await writeFile(join(exchange, "a".repeat(250)), "");
    await watch(`${exchange}/*a*a*{1..1900}`);
    for (let n = 0; n < 20; n++) {
      const signal = AbortSignal.timeout(10_000);
      assert.equal((await fetch(`${started.url}/health`, { signal })).status, 200);
      await pause(100);
    }
  });

  test("SQL reads no file, neither as a query nor in a pipeline", async (t) => {
    const started = await start(t);
    const { scratch, exchange, operator, environment, server } = started;
    await writeFile(join(scratch, "secret.csv"), "id\nt0p-s3cret\n");
    await writeFile(join(exchange, "secret.csv"), "id\nt0p-s3cret\n");
    const paths = [join(scratch, "secret.csv"), join(exchange, "secret.csv"), "/proc/self/environ"];
    const reads = (path: string) => [
      `SELECT * FROM read_csv('${path}')`,
      `SELECT * FROM read_text('${path}')`,
      `SELECT * FROM read_blob('${path}')`,
      `SELECT * FROM read_files('${path}')`,
      `SELECT * FROM '${path}'`,
      `SELECT * FROM csv.\`${path}\``,
      `SELECT * FROM text.\`${path}\``,
      `SELECT * FROM glob('${path}*')`,
      `SELECT * FROM sniff_csv('${path}')`,
    ];
    for (const sql of paths.flatMap(reads)) {
      const said = await query(started, sql);
      assert.ok(!said.includes("t0p-s3cret") && !said.includes(server.token), sql);
      assert.doesNotMatch(said, /"rows":\[\[/, sql);
    }
    assert.match(await query(started, "SELECT 1 + 1 AS two"), /two/);
    // Each statement is in a separate pipeline, because one pipeline would stop at the first error.
    for (const [at, sql] of reads(paths[1] as string).entries()) {
      const { client } = operator;
      const path = `stolen-${at}.sql`;
      const code = `CREATE MATERIALIZED VIEW stolen_${at} AS ${sql}`;
      const ended = async () => {
        await client.putFile({ params: { path }, body: code, environment });
        const body = { name: `pipe-${at}`, libraries: [{ file: { path } }] };
        const { pipeline_id } = await client.createPipeline({ body, environment });
        const { update_id } = await client.startPipelineUpdate({ params: { pipeline_id } });
        for (;;) {
          const update = await client.getPipelineUpdate({ params: { pipeline_id, update_id } });
          if (!["QUEUED", "RUNNING"].includes(update.state)) return JSON.stringify(update);
          await pause(100);
        }
      };
      const said = await ended().catch(String);
      assert.ok(!said.includes("t0p-s3cret") && !said.includes('"state":"COMPLETED"'), `${sql}: ${said}`);
    }
  });

  test("a folder that is granted is used, and what is never granted stays closed", async (t) => {
    const home = await testHome(t, "sqlite");
    const started = await start(t, { PLATFORM_CONNECTOR_FOLDERS: "/" });
    const { scratch, dataDir, server } = started;
    await rm(home.dataDir, { recursive: true, force: true });
    await mkdir(join(scratch, "in"));
    await writeFile(join(scratch, "in/orders.csv"), "id\n1\n");
    await symlink(join(scratch, "in"), join(scratch, "link"));
    for (const path of [join(scratch, "in"), join(scratch, "link"), `${scratch}/in/../in`]) {
      const { said, succeeded } = await use(started, {
        type: "files",
        config: { path, format: "csv" },
        dataset: "orders.csv",
      });
      assert.ok(succeeded, said);
    }
    for (const path of [
      "/",
      "/proc",
      "/proc/self",
      `/proc/${server.child.pid}`,
      "/sys",
      "/dev",
      dataDir,
      `${dataDir}/..`,
      "/proc/self/root/proc",
    ]) {
      await refuses(
        started,
        { type: "files", config: { path, format: "csv" }, dataset: "environ" },
        refusal,
        [server.token],
      );
    }
    assert.ok(!existsSync(`${dataDir}-exchange`), "there is no exchange folder beside granted ones");
  });

  test("no process shows a credential to another", {
    skip: process.platform !== "linux" && "only Linux has /proc",
  }, async (t) => {
    const key = "Zk3-another-credential-Qx9v7LmT2r";
    const started = await start(t, { PLATFORM_SECRET_KEY: key });
    const { server, viewer } = started;
    await query(started, "SELECT 1 AS one");
    const pid = Number(server.child.pid);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean);
    assert.ok(children.length > 0, "the engine runs");
    for (const id of [pid, ...children]) {
      for (const file of ["environ", "cmdline"]) {
        const shown = readFileSync(`/proc/${id}/${file}`, "utf8");
        for (const secret of [server.token, key, viewer.token])
          assert.ok(!shown.includes(secret), `${id} ${file}`);
      }
    }
    // The engine process has inherited no open file of the server.
    for (const child of children) {
      const open = readdirSync(`/proc/${child}/fd`).map((fd) => {
        try {
          return readlinkSync(`/proc/${child}/fd/${fd}`);
        } catch {
          return "";
        }
      });
      assert.ok(
        !open.some((path) => /lakehelm\.db|secret-key|service-token|handover/.test(path)),
        open.join(),
      );
    }
  });

  test("the data folder is closed, also one that was open, and exported files are not", async (t) => {
    const home = await testHome(t, "sqlite");
    await mkdir(join(home.dataDir, "warehouse"), { recursive: true });
    await writeFile(join(home.dataDir, "warehouse/left"), "x");
    for (const path of [home.dataDir, join(home.dataDir, "warehouse")]) await chmod(path, 0o755);
    await chmod(join(home.dataDir, "warehouse/left"), 0o644);
    const exchange = `${home.dataDir}-exchange`;
    t.after(() => rm(exchange, { recursive: true, force: true }));
    const settings = { PLATFORM_CONNECTOR_FOLDERS: "" };
    const mask = process.umask(0o022);
    t.after(() => process.umask(mask));
    const server = await startProcess(t, home, settings);
    await server.logged("the data folder was open to other users of this machine; it is closed now");
    const { client, token } = server;
    const caller: Caller = { client, token, fetch: (path) => fetch(server.url + path) };
    const { id: environment } = await client.createEnvironment({
      body: { name: "dev", configuration: { catalog: "shop", schema: "raw" } },
    });
    const started = { operator: caller, viewer: caller, environment, exchange } as unknown as Started &
      Target;
    await fillOrders(started);
    for (const [type, file] of [
      ["csv", ""],
      ["sqlite", "out.db"],
      ["duckdb", "out.duckdb"],
    ] as const) {
      const { said, succeeded } = await use(started, {
        type,
        config: { path: join(exchange, file) },
        dataset: "out",
        isTarget: true,
      });
      assert.ok(succeeded, said);
    }
    const open: string[] = [];
    const check = async (path: string): Promise<void> => {
      const found = await lstat(path).catch(() => undefined);
      if (found === undefined) return;
      if ((found.mode & 0o077) !== 0) open.push(`${(found.mode & 0o777).toString(8)} ${path}`);
      if (found.isDirectory()) for (const name of await readdir(path)) await check(join(path, name));
    };
    await check(home.dataDir);
    assert.deepEqual(open, []);
    const modeOf = async (name: string) => ((await lstat(join(exchange, name))).mode & 0o777).toString(8);
    assert.deepEqual(await Promise.all(["out", "out/part-000001.csv", "out.db", "out.duckdb"].map(modeOf)), [
      "755",
      "644",
      "644",
      "644",
    ]);
  });

  test("a hard link or a pipe in the exchange folder does not stop the server", async (t) => {
    const started = await start(t);
    const { exchange, scratch } = started;
    await writeFile(join(scratch, "orders.csv"), "id\n1\n");
    await link(join(scratch, "orders.csv"), join(exchange, "hard.csv"));
    const { spawnSync } = await import("node:child_process");
    spawnSync("mkfifo", [join(exchange, "pipe.csv"), join(exchange, "pipe.db")]);
    for (const type of ["sqlite", "duckdb"]) {
      await refuses(
        started,
        { type, config: { path: join(exchange, "pipe.db") }, dataset: "t" },
        /neither a file nor a folder/,
      );
    }
    const config = { path: exchange, format: "csv" };
    await refuses(started, { type: "files", config, dataset: "pipe.csv" }, /There is no file/);
    // If an administrator links a file into the folder, it may be read.
    const { said, succeeded } = await use(started, { type: "files", config, dataset: "hard.csv" });
    assert.ok(succeeded, said);
  });
});
