/** The CLI against a real server: what a user does, from the first login to watching a run. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serveHttp } from "@lakehelm/testing/http-server";
import { startTestServer, type TestServer } from "../../server/src/testing/server.ts";
import { lakehelm, type Outcome } from "./testing/terminal.ts";

const program = fileURLToPath(new URL("../bin/lakehelm.cjs", import.meta.url));

const clientSecret = "Jw7-rT2_vKq9.xBn4mZ8pLd3sHf6";

suite("the command lakehelm", () => {
  let server: TestServer;
  let folder = "";
  let env: Record<string, string> = {};

  before(async () => {
    server = await startTestServer({
      settings: {
        PLATFORM_CLIENT_ID: "ci",
        PLATFORM_CLIENT_SECRET: clientSecret,
        PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
        PLATFORM_ENVIRONMENTS: "2000",
      },
    });
    folder = await mkdtemp(join(tmpdir(), "lakehelm-cli-"));
    env = { LAKEHELM_CONFIG_DIR: join(folder, "config") };
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (line: string, more: Parameters<typeof lakehelm>[1] = {}): Promise<Outcome> =>
    lakehelm(line.split(" "), { ...more, env: { ...env, ...more.env } });
  async function done(line: string, more?: Parameters<typeof lakehelm>[1]): Promise<string> {
    const { code, stdout, stderr } = await call(line, more);
    assert.equal(code, 0, `${line}: ${stderr}`);
    return stdout;
  }

  test("logs in with a token, and shows the server without showing the token", async () => {
    assert.equal((await call(`environments list --url ${server.url}`)).code, 1);
    const { code, stderr } = await call(`login --url ${server.url} --token-file -`, { stdin: "wrong\n" });
    assert.equal(code, 1);
    assert.match(stderr, /401[\s\S]*Request id: /);
    const said = await done(`login --url ${server.url} --token-file -`, { stdin: `${server.token}\n` });
    const shown = said + (await done("whoami")) + (await done("status -o json")) + (await done("profiles"));
    assert.match(shown, /service_token/);
    assert.match(shown, /"pipelines_failing": 0,\s*"automations": 0,\s*"automations_failing": 0/);
    assert.ok(!shown.includes(server.token));
    assert.equal((await stat(join(folder, "config/profiles.json"))).mode & 0o777, 0o600);
  });

  test("logs in as a user; a secret comes from the standard input", async () => {
    const password = "orange boat climbs 42";
    await done("users create --username ada@example.com --role viewer --ask-password", { stdin: password });
    const said = await done(`login --profile ada --url ${server.url} --username ada@example.com`, {
      stdin: `${password}\n`,
    });
    assert.match(said, /^Logged in to \S+ as ada@example\.com, with a token of a client or user\. /);
    assert.match(
      said,
      / Commands now use it instead of "default"\. To go back: lakehelm profiles default\n$/,
    );
    assert.ok(!(await readFile(join(folder, "config/profiles.json"), "utf8")).includes(password));
    assert.match(await done("whoami --profile ada"), /ada@example\.com[\s\S]*viewer[\s\S]*client_jwt/);
    const refused = await call("environments create --name secret --profile ada");
    assert.equal(refused.code, 3, refused.stderr);
    assert.match(refused.stderr, /403[\s\S]*Request id: /);
    await done("profiles default");
    const personal = await done("users create-token ada@example.com --query token");
    assert.match(
      await done("whoami", { env: { LAKEHELM_TOKEN: personal.trim(), LAKEHELM_URL: server.url } }),
      /user_token/,
    );
    await done("secrets put crm password", { stdin: "s3cret-Value-9\n" });
    assert.match(await done("secrets list crm"), /password/);
    const shown = await call("secrets put crm password --set value=x");
    assert.equal(shown.code, 2);
  });

  test("logs in with client credentials, and renews the token when it has expired", async () => {
    const path = join(folder, "config/profiles.json");
    await done(`login --profile ci --url ${server.url} --client-id ci`, { stdin: `${clientSecret}\n` });
    const stored = JSON.parse(await readFile(path, "utf8"));
    stored.profiles.ci.credentials.expires_at = "2020-01-01T00:00:00.000Z";
    stored.profiles.ci.credentials.token = "expired";
    stored.current = "default";
    await writeFile(path, JSON.stringify(stored), { mode: 0o600 });
    assert.match(await done("whoami --profile ci"), /client_jwt/);
    const { credentials } = JSON.parse(await readFile(path, "utf8")).profiles.ci;
    assert.ok(Date.parse(credentials.expires_at) > Date.now() && credentials.token !== "expired");
    const variables = {
      LAKEHELM_URL: server.url,
      LAKEHELM_CLIENT_ID: "ci",
      LAKEHELM_CLIENT_SECRET: clientSecret,
    };
    assert.match(await done("whoami", { env: variables }), /client_jwt/);
    const wrong = await call("whoami", { env: { ...variables, LAKEHELM_CLIENT_SECRET: "wrong-secret" } });
    assert.equal(wrong.code, 1);
    assert.ok(!wrong.stderr.includes("wrong-secret"));
  });

  test("creates, changes and deletes by name, with a file, flags and --set; a dry run changes nothing", async () => {
    const file = join(folder, "connector.yaml");
    await writeFile(file, "target_type: csv\ntarget_config: { path: /tmp }\nexecution_mode: manual\n");
    await done(`connectors create -f ${file} --name a --dry-run`);
    assert.equal(await done("connectors list -o json"), "[]\n");
    await done(`connectors create -f ${file} --name a --set target_config.format.kind=x`);
    await done("connectors update a --name b");
    const b = JSON.parse(await done("connectors get b -o json"));
    assert.deepEqual([b.name, b.target_config], ["b", { path: "/tmp", format: { kind: "x" } }]);
    assert.ok(b.created_by.length > 0);
    await done("environments create --name other");
    await done(`connectors create -f ${file} --name b --env other`);
    const several = await call("connectors get b");
    assert.match(several.stderr, /Several connectors are named "b".*--env/);
    assert.match(await done("connectors delete b --env other"), /deleted|removed/i);
    await done("connectors delete b");
    const gone = await call("connectors get b");
    assert.deepEqual([gone.code, /no connector named "b"/.test(gone.stderr)], [1, true]);
    const name = "019a0000-0000-7000-8000-000000000000-orders";
    await done(`connectors create -f ${file} --name ${name}`);
    assert.equal(JSON.parse(await done(`connectors get ${name} -o json`)).name, name, "begins with a UUID");
    await done(`connectors delete ${name}`);
  });

  test("--set below a field keeps the rest of it; a reference to a secret is a text", async () => {
    const token = "{{secrets/lakehelm/token}}";
    await done(
      `environments create --name nested --platform spark --set configuration.remote=sc://localhost --set configuration.token=${token}`,
    );
    await done(
      "environments update nested --set configuration.options.region=here --set configuration.remote=null",
    );
    await done(
      "environments update nested --set configuration.options.secret_access_key=s3cret-Value-9 --description x",
    );
    const configurationOf = async () =>
      JSON.parse(await done("environments get nested -o json")).configuration;
    const { secret_access_key: key, ...options } = (await configurationOf()).options;
    assert.deepEqual(
      { ...(await configurationOf()), options },
      { remote: null, token, options: { region: "here" } },
    );
    assert.notEqual(key, "s3cret-Value-9");
    const file = join(folder, "environment.yaml");
    await writeFile(file, "configuration: { remote: 'sc://other' }\n");
    await done(`environments update nested -f ${file} --set configuration.schema=gold`);
    assert.deepEqual(await configurationOf(), { remote: "sc://other", schema: "gold" });
    const stale = await call('environments update nested --set configuration.schema=x --if-match "0"');
    assert.equal(stale.code, 1);
    await done("environments delete nested");
  });

  test("an environment that does not exist is wrong usage, wherever it is named", async () => {
    for (const line of [
      "connectors list --env prd",
      "connectors create --name x --target-type csv --set target_config.a=b --env prd",
      "environments get prd",
      "query select+1 --env prd",
      "drift list --env prd",
      "status --env prd",
      `export --dir ${join(folder, "exported")} --env prd`,
    ]) {
      const { code, stderr } = await call(line);
      assert.deepEqual(
        [code, stderr],
        [2, 'Error: There is no environment "prd". To see all: lakehelm environments list\n'],
        line,
      );
    }
  });

  test("a refused schedule names the field of the cron expression, a refused value one that is close", async () => {
    const request = "connectors create --name a --target-type csv --set target_config.a=b";
    const { stderr } = await lakehelm([...request.split(" "), "--schedule-cron", "0 25 * * *"], { env });
    assert.match(
      stderr,
      /body\.schedule_cron: The cron expression "0 25 \* \* \*" is not valid: "25" in the hour field/,
    );
    const misspelled = await call("connectors create -f -", {
      stdin: "{name: a, target_type: csv, target_config: {}, execution_mode: manul}",
    });
    assert.match(misspelled.stderr, /body\.execution_mode: Input should be .* Did you mean manual\?/);
  });

  test("an invalid request is shown field by field, with the request's id", async () => {
    const { code, stderr } = await call("connectors create --name a");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /body\.target_type: Field required\n {2}body\.target_config: Field required\nRequest id: /,
    );
  });

  test("runs a connector, follows it to its end, and queries what it moved", async () => {
    const drop = join(folder, "drop");
    await mkdir(drop);
    await writeFile(join(drop, "orders.csv"), "id,note\n1,plain\n2,\u001b[31mred\n");
    const connector = {
      name: "orders-in",
      target_type: "warehouse",
      execution_mode: "manual",
      target_config: { connection: { name: "drop", type: "files", config: { path: drop, format: "csv" } } },
      datasets: [{ source_dataset: "orders.csv", target_name: "shop.sales.orders", primary_keys: ["id"] }],
    };
    await done("connectors create -f -", { stdin: JSON.stringify(connector) });
    assert.match(await done("connectors check orders-in"), /true {2}can read orders.csv/);
    const watched = await done("connectors run orders-in --watch");
    assert.match(
      watched,
      /shop\.sales\.orders: 2 rows read, 2 inserted[\s\S]*orders-in succeeded after .* rows_inserted 2/,
    );
    assert.match(await done("logs orders-in --follow"), /2 inserted/);
    assert.match(await done("runs watch orders-in"), /orders-in succeeded/);
    assert.match(await done("events --kind run.succeeded"), /run\.succeeded +orders-in/);
    const sql = "select id, note, id from shop.sales.orders order by id";
    const query = async (...more: string[]) => {
      const { code, stdout, stderr } = await lakehelm(["query", sql, ...more], { env });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    assert.equal(await query(), "id  note           id_2\n1   plain          1\n2   \\u{1b}[31mred  2\n");
    assert.equal(await query("-o", "csv"), "id,note,id_2\n1,plain,1\n2,\u001b[31mred,2\n");
    const selected = await lakehelm(["query", sql, "-o", "csv", "--query", "[0].id"], { env });
    assert.deepEqual([selected.code, /does not go with -o csv/.test(selected.stderr)], [2, true]);
    assert.deepEqual(JSON.parse(await query("-o", "json"))[0], { id: 1, note: "plain", id_2: 1 });
    const arrow = join(folder, "orders.arrow");
    await query("-o", "arrow", "--to", arrow);
    assert.equal((await readFile(arrow)).readUInt32LE(0), 0xffffffff);
    const parquet = join(folder, "orders.parquet");
    await query("-o", "parquet", "--to", parquet);
    assert.equal((await readFile(parquet)).toString("latin1", 0, 4), "PAR1");
    assert.match(await query("--plan"), /SCAN[\s\S]*Table: shop\.sales\.orders/);
    assert.equal((await lakehelm(["query"], { env, stdin: `${sql};` })).code, 0);
    const wrong = await lakehelm(["query", "selec 1"], { env });
    assert.deepEqual([wrong.code, /SELEC is not a query/.test(wrong.stderr)], [1, true]);
    // There are more rows than fit on a page: a file has all of them, or the command fails.
    const many = "select unnest(range(25000)) as n";
    const all = join(folder, "all.csv");
    for (const to of [["--to", all], []]) {
      const whole = await lakehelm(["query", many, "--dialect", "duckdb", "-o", "csv", ...to], { env });
      assert.equal(whole.code, 0, whole.stderr);
      const lines = to.length > 0 ? await readFile(all, "utf8") : whole.stdout;
      assert.deepEqual([lines.split("\n").length, whole.stderr], [25_002, ""]);
      assert.equal(new Set(lines.trim().split("\n")).size, 25_001);
    }
    const some = await lakehelm(["query", many, "--dialect", "duckdb", "-o", "csv", "--limit", "5"], { env });
    assert.match(some.stderr, /There are more rows than these 5/);
    const partial = join(folder, "partial.arrow");
    const cut = await lakehelm(["query", many, "--dialect", "duckdb", "-o", "arrow", "--to", partial], {
      env,
    });
    assert.deepEqual([cut.code, /more than the 10000 rows/.test(cut.stderr)], [1, true]);
    await assert.rejects(stat(partial));
    await query("-o", "arrow", "--limit", "1", "--to", partial);
    await rm(join(drop, "orders.csv"));
    const check = await call("connectors check orders-in");
    assert.deepEqual([check.code, /^false /m.test(check.stdout)], [1, true]);
    await writeFile(join(drop, "orders.csv"), "other\n1\n");
    const failed = await call("connectors run orders-in --watch");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /has failed/);
  });

  test("completes names on the server, but none that a shell would expand", async () => {
    await done("environments create -f -", { stdin: '{"name": "$(touch pwned)"}' });
    const names = (await done("__complete environments get ")).split("\n").map((line) => line.trim());
    assert.ok(names.includes("local") && names.includes("other"));
    assert.ok(names.every((name) => !name.includes("$")));
    assert.equal((await done("__complete connectors get ")).trim(), "orders-in");
    assert.match(await done("__complete runs list --env oth"), /^other\t\n$/);
    assert.equal(
      (await call("__complete connectors get ", { env: { LAKEHELM_URL: "http://127.0.0.1:9" } })).stdout,
      "",
    );
  });

  test("on a terminal, one line shows what a run does now, and is erased at its end", async (t) => {
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const url = await serveHttp(t, (_request, response) => void waiting.then(() => response.end("{}")));
    const definition = { tasks: [{ name: "wait", kind: "http", url }] };
    await done("automations create -f -", { stdin: JSON.stringify({ alias: "waits", definition }) });
    await done("automations sync-release waits --env local");
    // `script` gives the program its own terminal.
    const command = `'${process.execPath}' '${program}' automations run waits --env local --watch`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env.PATH, TERM: "xterm", ...env },
    });
    let shown = "";
    child.stdout.on("data", (chunk) => {
      shown += chunk;
      if (/[⠋⠙⠹⠸] waits running/.test(shown)) answer();
    });
    const [code] = await once(child, "close");
    assert.equal(code, 0, shown);
    const readable = shown.replaceAll("\r\u001b[K", "<erase>");
    assert.match(readable, /<erase>[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] waits running/);
    assert.match(readable, /<erase>waits succeeded after [\d.]+ s.*\r\n$/);
  });

  test("the interactive mode runs all statements that were pasted, and ends with the input", async () => {
    const child = spawn("script", ["-qec", `'${process.execPath}' '${program}' query`, "/dev/null"], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { PATH: process.env.PATH, TERM: "xterm", NO_COLOR: "1", ...env },
    });
    let shown = "";
    child.stdout.on("data", (chunk) => {
      const wasReady = shown.includes("lakehelm> ");
      shown += chunk;
      // Ctrl-D arrives while the first statement runs.
      if (!wasReady && shown.includes("lakehelm> "))
        child.stdin.write("select 41 + 1 as answer;\nselect\n  6 * 7 as again;\n\u0004");
    });
    const [code] = await once(child, "close");
    assert.equal(code, 0, shown);
    assert.match(shown, /answer\r?\n42[\s\S]*again\r?\n42/);
    assert.doesNotMatch(shown, /Error/);
  });

  test("follows events until it is interrupted", async () => {
    const interrupted = new AbortController();
    const outcome = await call("events --follow --after 0 --kind environment.*", {
      signal: interrupted.signal,
      onOutput: (text) => text.includes("other") && interrupted.abort(),
    });
    assert.equal(outcome.code, 130);
    assert.match(outcome.stdout, /environment\.created +local[\s\S]*environment\.created +other/);
    const again = new AbortController();
    const { stdout } = await call("events --follow --after 0 --kind environment.* --env other", {
      signal: again.signal,
      onOutput: () => again.abort(),
    });
    assert.match(stdout, /environment\.created +other/);
    assert.doesNotMatch(stdout, /local/);
  });

  test("sends any request; files are read and written", async () => {
    assert.equal(await done("api GET /info --query name"), "Lakehelm\n");
    await done("files put notes/a.txt -f -", { stdin: "hello\n" });
    assert.equal(await done("files get notes/a.txt"), "hello\n");
    assert.match(await done("server metrics"), /^# HELP/m);
  });

  /** Starts the real program in its own process. */
  function start(args: readonly string[]) {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, ...env },
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    return { child, ended: once(child, "close").then(([code, signal]) => ({ code, signal, stderr })) };
  }

  test("a list of many pages ends quietly when its reader has seen enough", async () => {
    const names = Array.from({ length: 1100 }, (_, n) => n);
    for (let at = 0; at < names.length; at += 550) {
      const operations = names.slice(at, at + 550).map((n) => ({
        method: "POST",
        path: "/api/v1/environments/",
        body: { name: `env-${n}`, description: "d".repeat(200) },
      }));
      await done("server batch -f -", { stdin: JSON.stringify({ mode: "each", operations }) });
    }
    assert.equal((await done("environments list -o jsonl")).split("\n").length, 1100 + 4);
    assert.equal((await done("environments list --limit 1050 -o jsonl")).split("\n").length, 1051);
    const { child, ended } = start(["environments", "list", "-o", "jsonl"]);
    await once(child.stdout, "data");
    child.stdout.destroy();
    assert.deepEqual(await ended, { code: 0, signal: null, stderr: "" });
  });

  test("Ctrl-C ends the program with 130, and --version loads nothing", async () => {
    const { child, ended } = start(["events", "--follow", "--after", "0"]);
    await once(child.stdout, "data");
    child.kill("SIGINT");
    assert.deepEqual(await ended, { code: 130, signal: null, stderr: "" });
    const version = start(["--version"]);
    let shown = "";
    version.child.stdout.on("data", (chunk) => {
      shown += chunk;
    });
    assert.equal((await version.ended).code, 0);
    assert.match(shown, /^lakehelm \d+\.\d+\.\d+\n$/);
  });

  test("a connector that cannot be installed says why when it is to run", async () => {
    const file = join(folder, "erp.json");
    const connection = { name: "erp", type: "sqlserver", config: { host: "erp.example.test" } };
    const request = { name: "erp-in", target_type: "warehouse", target_config: { connection } };
    await writeFile(file, JSON.stringify(request));
    await done(`connectors create -f ${file}`);
    const { code, stderr } = await call("connectors run erp-in");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /The connector erp-in cannot run: it is created\. The embedded platform does not read SQL/,
    );
  });
});
