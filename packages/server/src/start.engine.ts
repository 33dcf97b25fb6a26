import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import test, { type TestContext } from "node:test";
import { credentialFilesIn, credentialSettings } from "./credentials.ts";
import { greeting } from "./greeting.ts";
import { folderSettings, readSettings, type Settings, settingsSchema } from "./settings.ts";
import { checkStart } from "./start-checks.ts";
import { spawnServer, startProcess, testHome } from "./testing/process.ts";
import { startTestServer } from "./testing/server.ts";
import { testFolder } from "./web/identity/test-dependencies.ts";

const least = {
  PLATFORM_ENV: "production",
  PORT: "0",
  APPS_PORT: "0",
  PLATFORM_SERVICE_AUTH_TOKEN: "tst_5Vq8RwYk2mHcXz7LbN4dPj",
};

/** The paths of everything below a folder. */
const content = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

/**
 * Starts a server that must refuse to start, and returns its message. It exits with 1 and leaves the data folder as it
 * was.
 */
async function refusedStart(t: TestContext, settings: Readonly<Record<string, string>>): Promise<string> {
  const home = await testHome(t, "sqlite");
  const before = await content(home.dataDir);
  const child = spawnServer(t, home, { PLATFORM_CONNECTOR_FOLDERS: `${home.dataDir}-exchange`, ...settings });
  assert.ok(child.stderr);
  const [[code], said] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  assert.equal(code, 1, said);
  assert.deepEqual(await content(home.dataDir), before);
  assert.equal(said.trim().split("\n").length, 1, said);
  return said;
}

test("every setting with a wrong value is named, and so are a close prefix and an address without PLATFORM_ENV", () => {
  for (const [name, schema] of settingsSchema.fieldEntries) {
    const errors: unknown[] = [];
    schema.check("\u0000 not a value", [], errors as never);
    // A free text has no invalid value.
    if (errors.length === 0) continue;
    assert.throws(
      () => readSettings({ [name]: "\u0000 not a value" }),
      new RegExp(`^Error: .*\\b${name} `),
      name,
    );
  }
  assert.throws(
    () => readSettings({ PLATFROM_ENV: "production" }),
    /PLATFROM_ENV is not a setting\. Did you mean PLATFORM_ENV\?/,
  );
  assert.throws(() => readSettings({ PLATFORMS_DATA_DIR: "x" }), /Did you mean PLATFORM_DATA_DIR\?/);
  readSettings({ NODE_ENV: "production", MY_ENV: "x", PLATFORM: "linux" });
  for (const host of ["0.0.0.0", "::", "10.0.0.5", "lakehelm.example.test"]) {
    assert.throws(() => readSettings({ HOST: host }), /Set PLATFORM_ENV=production/);
    readSettings({ HOST: host, PLATFORM_ENV: "development" });
  }
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1"]) readSettings({ HOST: host });
  assert.throws(
    () => readSettings({ PLATFORM_ENGINE_MEMORY_MB: "1000", PLATFORM_WAREHOUSE_MEMORY_MB: "600" }),
    /PLATFORM_ENGINE_MEMORY_MB must be at least 512 more than PLATFORM_WAREHOUSE_MEMORY_MB: 1112, not 1000/,
  );
});

test("no folder of ours is below a folder of connectors, nor the other way, also through links", async (t) => {
  const root = await testFolder(t);
  const folder = async (name: string) => {
    await mkdir(join(root, name), { recursive: true });
    return join(root, name);
  };
  const [granted, elsewhere] = [await folder("granted"), await folder("elsewhere")];
  const inside = await folder("granted/inside");
  await symlink(inside, join(root, "link-in"));
  await symlink(elsewhere, join(granted, "link-out"));
  const base = { ...least, PLATFORM_DATA_DIR: join(root, "data") };
  const check = (settings: Readonly<Record<string, string>>) =>
    checkStart(readSettings({ ...base, ...settings }));

  for (const setting of folderSettings) {
    const refusal = new RegExp(
      `${setting}.*PLATFORM_CONNECTOR_FOLDERS|PLATFORM_CONNECTOR_FOLDERS.*${setting}`,
    );
    const grant = (path: string) => `${join(root, "other")}, ${path}`;
    const pairs: [own: string, granted: string][] = [
      [granted, granted],
      [granted, inside],
      [inside, join(root, "link-in")],
      [join(root, "link-in"), inside],
      // Neither folder exists yet.
      [join(root, "new"), join(root, "new/below")],
    ];
    // Connectors never use the data folder, even if it is below a folder that they may use.
    const below: [string, string][] = [
      [inside, granted],
      [join(root, "link-in"), granted],
      [join(root, "link-in/deeper/new"), granted],
      [elsewhere, join(granted, "link-out")],
      [join(elsewhere, "new"), join(granted, "link-out")],
    ];
    for (const [own, theirs] of setting === "PLATFORM_DATA_DIR" ? pairs : [...pairs, ...below]) {
      await assert.rejects(
        check({ [setting]: own, PLATFORM_CONNECTOR_FOLDERS: grant(theirs) }),
        refusal,
        `${own} ${theirs}`,
      );
    }
    await check({ [setting]: elsewhere, PLATFORM_CONNECTOR_FOLDERS: grant(granted) });
  }
  const exchange = { PLATFORM_BACKUP_DIR: join(root, "data-exchange/backups") };
  await assert.rejects(
    check(exchange),
    /PLATFORM_BACKUP_DIR .* is below .*data-exchange/,
    "granted by default",
  );
});

/** Settings whose files are not for the server, or that name the granted folders themselves. */
const forOthers = /^PLATFORM_(CONNECTOR_FOLDERS|PROGRAMS_FOLDERS|PYTHON|SPARK_PYTHON)$/;

test("no file that a setting names can be read through a folder of connectors, whatever the setting is for", async (t) => {
  const root = await testFolder(t);
  const granted = join(root, "granted");
  await mkdir(granted);
  const [inside, outside] = [join(granted, "file"), join(root, "outside")];
  for (const path of [inside, outside]) await writeFile(path, "s3cr3t-4Hq8mWz2Vx7Tn9Lk");
  const [linkIn, linkOut] = [join(root, "link-in"), join(granted, "link-out")];
  await symlink(inside, linkIn);
  await symlink(outside, linkOut);
  const base = {
    ...least,
    PLATFORM_DATA_DIR: join(root, "data"),
    PLATFORM_CONNECTOR_FOLDERS: `${join(root, "other")},${granted}`,
  };
  const read = (values: Readonly<Record<string, string>>) => {
    try {
      return readSettings({ ...base, ...values });
    } catch {
      return undefined;
    }
  };
  const tried: string[] = [];
  const attempt = async (setting: string, path: string, settings: Settings, isRefused: boolean) => {
    tried.push(setting);
    const sentence = new RegExp(`^Error: ${setting} \\(.*is below .*PLATFORM_CONNECTOR_FOLDERS`);
    const check = checkStart(settings);
    await (isRefused ? assert.rejects(check, sentence, `${setting} ${path}`) : check);
  };

  for (const [setting] of settingsSchema.fieldEntries) {
    if (forOthers.test(setting) || folderSettings.some((name) => name === setting)) continue;
    for (const path of [inside, linkIn, linkOut, outside]) {
      // A setting that accepts no path may accept a URL with a path, such as PostgreSQL's with its keys.
      for (const value of [path, `postgres://db.example.test/lakehelm?sslkey=${path}`]) {
        const settings = read({ [setting]: value });
        // Some settings accept no path, such as a key, which must be strong: only its file has a path.
        if (settings === undefined) continue;
        const problem = await checkStart(settings).catch((error: Error) => error.message);
        if (problem !== undefined && !problem.includes("PLATFORM_CONNECTOR_FOLDERS")) continue;
        await attempt(setting, path, settings, path === inside || path === linkIn);
      }
    }
  }
  for (const name of credentialSettings) {
    for (const path of [inside, linkIn, linkOut, outside]) {
      const settings = readSettings(base, credentialFilesIn({ [`${name}_FILE`]: path }));
      await attempt(`${name}_FILE`, path, settings, path === inside || path === linkIn);
    }
  }
  for (const setting of ["DATABASE_URL", "PLATFORM_SECRET_KEY_FILE", "PLATFORM_CLIENT_ID"])
    assert.ok(tried.includes(setting), setting);
  assert.deepEqual((await content(root)).sort(), [
    "granted",
    "granted/file",
    "granted/link-out",
    "link-in",
    "outside",
  ]);
});

test("a server with a key file below a folder of connectors does not start", async (t) => {
  const root = await testFolder(t);
  await writeFile(join(root, "key"), "s3cr3t-4Hq8mWz2Vx7Tn9Lk");
  const said = await refusedStart(t, {
    PLATFORM_SECRET_KEY_FILE: join(root, "key"),
    PLATFORM_CONNECTOR_FOLDERS: root,
  });
  assert.match(said, /PLATFORM_SECRET_KEY_FILE \(.*\) is below .*PLATFORM_CONNECTOR_FOLDERS/);
});

test("what passes the checks of a start starts: no value is refused after the database was opened", async (t) => {
  const root = await testFolder(t);
  await mkdir(join(root, "policies"));
  await writeFile(join(root, "policies/broken.yaml"), "rule: [");
  const base = { ...least, PLATFORM_DATA_DIR: join(root, "data") };
  const accepted: Record<string, string> = {};
  const refused: string[] = [];
  for (const [setting] of settingsSchema.fieldEntries) {
    if (folderSettings.some((name) => name === setting)) continue;
    for (const value of ["not ! a \u0001 value", "internal-service", "https://none.example.test/?x=%"]) {
      let settings: Settings;
      try {
        settings = readSettings({ ...base, [setting]: value });
      } catch {
        continue;
      }
      const problem = await checkStart(settings).catch((error: Error) => error.message);
      if (problem === undefined) accepted[setting] = value;
      else {
        assert.match(problem, new RegExp(`^${setting}\\b`));
        refused.push(setting);
      }
    }
  }
  for (const setting of ["PLATFORM_CLIENT_ID", "PLATFORM_TRUSTED_PROXIES", "PLATFORM_PRIVATE_ADDRESSES"])
    assert.ok(refused.includes(setting), setting);
  const broken = readSettings({ ...base, PLATFORM_POLICIES_DIR: join(root, "policies") });
  await assert.rejects(checkStart(broken), /PLATFORM_POLICIES_DIR: .*broken\.yaml/);
  assert.deepEqual(await content(root), ["policies", "policies/broken.yaml"]);
  assert.ok(Object.keys(accepted).length > 10, "settings that take any text");
  const server = await startTestServer({ settings: accepted });
  await server.close();
});

test("a folder that cannot be used ends the start at once, and names its setting", async (t) => {
  const root = await testFolder(t);
  await writeFile(join(root, "file"), "");
  for (const setting of folderSettings.filter((name) => name !== "PLATFORM_POLICIES_DIR")) {
    for (const path of [
      join(root, "file"),
      join(root, "file/below"),
      "/proc/x",
      "/proc/1/x/y",
      "/dev/null/x",
    ]) {
      const settings = { ...least, PLATFORM_DATA_DIR: join(root, "data"), [setting]: path };
      await assert.rejects(checkStart(readSettings(settings)), new RegExp(`^Error: ${setting}: `), path);
    }
  }
  assert.deepEqual(await content(root), ["file"]);
});

test("a start that is refused says why in one line and writes nothing", async (t) => {
  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  t.after(() => taken.close());
  const port = String((taken.address() as { port: number }).port);
  const cases: [Readonly<Record<string, string>>, RegExp][] = [
    [{ PORT: port }, new RegExp(`Port ${port} is in use. Set PORT`)],
    [{ APPS_PORT: port }, new RegExp(`Port ${port} is in use. Set APPS_PORT`)],
    [{ HOST: "203.0.113.9" }, /HOST: 203\.0\.113\.9 is not an address of this machine/],
    [{ PLATFORM_DATA_DIR: "/proc/x" }, /PLATFORM_DATA_DIR: this user \(\d+\) cannot write to \/proc/],
    [{ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, /database is unreachable.*DATABASE_URL/],
    [{ PLATFORM_SERVICE_AUTH_TOKEN: "" }, /No credential is set/],
    [
      { PLATFORM_BACKUP_DIR: join(tmpdir(), "backups"), PLATFORM_CONNECTOR_FOLDERS: tmpdir() },
      /PLATFORM_BACKUP_DIR/,
    ],
  ];
  for (const [settings, sentence] of cases) assert.match(await refusedStart(t, settings), sentence);
});

test("in development a port that is in use leads to the next free one, and the greeting says so", async (t) => {
  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  t.after(() => taken.close());
  const port = String((taken.address() as { port: number }).port);
  const settings = { PORT: port, APPS_PORT: port };
  const { server, close } = await startTestServer({ settings });
  t.after(close);
  const ports = [server.url, server.appsUrl].map((url) => new URL(url).port);
  assert.equal(new Set([port, ...ports]).size, 3, `${ports}`);
  const said = greeting(server, readSettings(settings));
  assert.equal(said.split(`(port ${port} is in use)`).length, 3, said);
});

test("a start beside a restored database without its key makes no new key", async (t) => {
  const home = await testHome(t, "sqlite");
  const server = await startProcess(t, home);
  server.child.kill("SIGTERM");
  await server.ended;
  await rm(join(home.dataDir, "secret-key"));
  const child = spawnServer(t, home);
  assert.ok(child.stderr);
  const [[code], said] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  assert.equal(code, 1);
  assert.match(said, /restore the file secret-key/);
  assert.ok(!(await content(home.dataDir)).includes("secret-key"));
});

test("SIGHUP stops as SIGTERM does, and SIGUSR1 opens no debugger", async (t) => {
  const server = await startProcess(t, await testHome(t, "sqlite"));
  let complaints = "";
  server.child.stderr?.on("data", (chunk) => {
    complaints += chunk;
  });
  server.child.kill("SIGUSR1");
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
  server.child.kill("SIGHUP");
  await server.logged("stopping");
  assert.equal(await server.ended, 0);
  assert.doesNotMatch(complaints, /Debugger listening/);
});
