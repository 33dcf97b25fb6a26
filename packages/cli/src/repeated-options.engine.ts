import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { type Client, createClient } from "@lakehelm/contract/client";
import { startTestServer, type TestServer } from "../../server/src/testing/server.ts";
import { exitCodes } from "./exit-codes.ts";
import { printedCommands } from "./testing/printed-commands.ts";
import { lakehelm, type Outcome } from "./testing/terminal.ts";

const mainFile = `name: shop
variables:
  folder:
    default: \${project.folder}/data
environments:
  # Where everybody works.
  local:
    default: true
  prod:
    environment: live
    variables:
      folder: \${project.folder}/live
    overrides:
      connectors:
        orders:
          schedule_cron: "0 5 * * *"
`;
const connector = `target_type: warehouse
target_config:
  catalog: shop
  schema: sales
  connection:
    name: orders
    type: files
    config: { path: "\${var.folder}", format: csv }
schedule_cron: "0 6 * * *"
datasets:
  - { source_dataset: orders.csv, target_name: orders, primary_keys: [id] }
`;

/** With options on the command line, or with variables of the shell and the profile. */
for (const way of ["with options", "with a profile and variables"] as const) {
  suite(`commands in messages, ${way}`, () => {
    let server: TestServer;
    let root: string;
    let folder: string;
    let env: Record<string, string>;
    let approver: Client;
    const options = way === "with options" ? ["--env", "prod", "--profile", "ops"] : [];

    before(async () => {
      server = await startTestServer();
      root = await mkdtemp(join(tmpdir(), "lakehelm-printed-"));
      folder = join(root, "my shop");
      for (const part of ["connectors", "data", "live"]) await mkdir(join(folder, part), { recursive: true });
      await writeFile(join(folder, "lakehelm.yaml"), mainFile);
      await writeFile(join(folder, "connectors/orders.yaml"), connector);
      for (const part of ["data", "live"]) await writeFile(join(folder, part, "orders.csv"), "id,n\n1,2\n");
      env = { LAKEHELM_CONFIG_DIR: join(root, "config"), LAKEHELM_CWD: folder };
      await writeFile(join(root, "token"), server.token);
      const login = ["login", "--profile", "ops", "--url", server.url, "--token-file", join(root, "token")];
      assert.equal((await run(...login)).code, 0);
      if (way === "with options") {
        // The default profile names no server that answers, so commands without their options fail.
        await run(
          "login",
          "--profile",
          "other",
          "--url",
          "http://127.0.0.1:9",
          "--token-file",
          join(root, "token"),
        );
      } else env = { ...env, LAKEHELM_ENV: "prod" };
      await server.client.createEnvironment({ body: { name: "live" } });
      approver = await anotherAdmin(server);
    });
    after(async () => {
      await server.close();
      await rm(root, { recursive: true, force: true });
    });

    const run = (...args: string[]): Promise<Outcome> => lakehelm(args, { env });
    const call = (...args: string[]) => run(...args, ...options);
    const protect = (isProtected: boolean) =>
      server.client.updateEnvironment({
        params: { environment_id: "live" },
        body: { protected: isProtected },
      });
    /** Runs each command that a message contains, as it is printed. */
    async function typed({ stdout, stderr }: Outcome, expected: RegExp): Promise<Outcome[]> {
      const commands = printedCommands(stdout + stderr);
      assert.match(
        commands.map((words) => words.join(" ").replace(" --profile ops", "")).join("\n"),
        expected,
        stdout + stderr,
      );
      const outcomes: Outcome[] = [];
      for (const words of commands) {
        if (words[0] === "plans" && words[1] === "approve") {
          await approver.approvePlan({ params: { plan_id: words.at(-1) ?? "" } });
          continue;
        }
        const confirmed = words[0] === "apply" && !/^[\da-f]{8}-/.test(words.at(-1) ?? "") ? ["--yes"] : [];
        const outcome = await run(...words, ...confirmed);
        assert.equal(
          outcome.code,
          exitCodes.done,
          `lakehelm ${words.join(" ")}\n${outcome.stdout}${outcome.stderr}`,
        );
        outcomes.push(outcome);
      }
      return outcomes;
    }
    const live = async () =>
      (await server.client.listConnectors({ query: { name: "orders" }, environment: "live" })).connectors[0];
    const changeLive = async (schedule_cron: string) =>
      server.client.updateConnector({
        params: { connector_id: (await live())?.id ?? "" },
        body: { schedule_cron },
      });
    const edit = (comment: string) => appendFile(join(folder, "connectors/orders.yaml"), `# ${comment}\n`);

    test("promote says how to apply to the environment that has nothing", async () => {
      const never = await run("promote", "prod", "local", ...options.slice(2));
      await typed(never, /^apply --env prod/);
      assert.equal((await live())?.schedule_cron, "0 5 * * *");
      assert.equal((await server.client.listConnectors({ environment: "local" })).total, 0);
    });

    test("promote resolves with the variables and overrides of the target", async () => {
      const to = ["promote", "local", "prod", ...options.slice(2), "--yes"];
      assert.equal((await run("apply", "--env", "local", ...options.slice(2), "--yes")).code, 0);
      const done = await run(...to);
      assert.equal(done.code, 0, done.stderr);
      const one = await live();
      assert.equal(one?.schedule_cron, "0 5 * * *");
      assert.match(JSON.stringify(one?.target_config), /\/live"/);
      // Changed files resolve to other values than those that were applied, so promote refuses them.
      const text = await readFile(join(folder, "connectors/orders.yaml"), "utf8");
      await writeFile(join(folder, "connectors/orders.yaml"), text.replace("schema: sales", "schema: new"));
      const changed = await run(...to);
      assert.equal(changed.code, 1);
      assert.match(changed.stderr, /The files are not those that were applied to local/);
      await typed(changed, /^apply --env local|^apply/);
      await writeFile(join(folder, "connectors/orders.yaml"), text);
      assert.equal((await run("apply", "--env", "local", ...options.slice(2), "--yes")).code, 0);
    });

    test("the plan of a protected environment is approved and applied", async () => {
      await protect(true);
      const text = await readFile(join(folder, "connectors/orders.yaml"), "utf8");
      await writeFile(
        join(folder, "connectors/orders.yaml"),
        text.replace("catalog: shop", "catalog: store"),
      );
      await typed(await call("plan"), /plans approve \S+.*\napply --env prod/);
      assert.equal((await live())?.target_config?.catalog, "store");
      await protect(false);
      await writeFile(join(folder, "connectors/orders.yaml"), text);
      await typed(await call("plan"), /^apply --env prod/);
      assert.equal((await live())?.target_config?.catalog, "shop");
    });

    test("a plan that is out of date, or of another environment, names the one to make", async () => {
      await changeLive("0 7 * * *");
      const stale = JSON.parse((await call("plan", "-o", "json")).stdout) as { id: string };
      await changeLive("0 8 * * *");
      const late = await call("apply", stale.id);
      assert.equal(late.code, 1);
      const again = await call("apply", stale.id);
      await typed(again, /^plan --env prod/);
      const wrong = await run("apply", stale.id, "--env", "local", ...options.slice(2));
      assert.equal(wrong.code, exitCodes.usage);
      assert.match(
        wrong.stderr,
        /is for the environment "live", not "local"\. To apply it: lakehelm apply .*--env prod/,
      );
    });

    test("drift names how to keep and to put back what changed; adopting is for that environment only", async () => {
      await edit("kept");
      await changeLive("0 9 * * *");
      const file = await readFile(join(folder, "connectors/orders.yaml"), "utf8");
      await typed(await call("drift"), /^adopt[^\n]*\nrevert/);
      assert.equal(await readFile(join(folder, "connectors/orders.yaml"), "utf8"), file);
      const main = await readFile(join(folder, "lakehelm.yaml"), "utf8");
      assert.match(main, /# Where everybody works\.\n[\s\S]*schedule_cron: "?0 9 \* \* \* ?"?/);
      await writeFile(join(folder, "lakehelm.yaml"), mainFile);
      // Even without an override, a change in prod is adopted for prod only.
      await changeLive("0 5 * * *");
      const set = ["connectors", "update", "orders", "--set", "target_config.schema=raw", "--env", "live"];
      assert.equal((await run(...set, ...options.slice(2))).code, 0);
      const adopted = await call("adopt");
      assert.equal(adopted.code, 0, adopted.stderr);
      assert.equal(await readFile(join(folder, "connectors/orders.yaml"), "utf8"), file);
      assert.match(await readFile(join(folder, "lakehelm.yaml"), "utf8"), /target_config:\n +schema: raw\n/);
      assert.match((await call("plan")).stdout, /^Nothing to change in live/);
      assert.doesNotMatch((await run("plan", "--env", "local", ...options.slice(2))).stdout, /raw/);
    });

    test("what was deleted is put back by the command that adopt names", async () => {
      await server.client.deleteConnector({ params: { connector_id: (await live())?.id ?? "" } });
      await typed(await call("adopt"), /^apply --env prod/);
      assert.equal((await live())?.name, "orders");
    });

    test("names that do not exist, and runs", async () => {
      // Commands that read no project use the names of environments on the server.
      const inLive = ["--env", "live", ...options.slice(2)];
      await typed(await run("connectors", "get", "ordres", ...inLive), /^connectors list --env live/);
      await typed(await run("runs", "watch", "ordres", ...inLive), /^runs list --env live/);
      const drift = await run("drift", "revert", "connector/ordres", ...inLive);
      await typed(drift, /^drift check --env live[^\n]*\ndrift list --env live/);
      await typed(
        await run("connectors", "list", "--env", "lvie", ...options.slice(2)),
        /^environments list/,
      );
    });
  });
}

async function anotherAdmin({ client, url }: TestServer): Promise<Client> {
  const password = "Correct-horse-battery-9";
  await client.createUser({ body: { username: "bob@example.com", password, role: "admin" } });
  const { access_token } = await createClient({ baseUrl: url }).exchangeToken({
    body: { username: "bob@example.com", password },
  });
  return createClient({ baseUrl: url, token: access_token });
}
