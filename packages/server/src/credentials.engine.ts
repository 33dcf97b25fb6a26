import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { readCredentialFiles } from "./credentials.ts";
import { spawnServer, startProcess, testHome } from "./testing/process.ts";

async function fileWith(t: TestContext, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-credentials-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "value"), content);
  return join(folder, "value");
}

test("a credential can come from a file, without the newline at its end", async (t) => {
  const file = await fileWith(t, "from a file \n");
  const variables = readCredentialFiles({ PLATFORM_CLIENT_SECRET_FILE: file, PORT: "1" });
  assert.equal(variables.PLATFORM_CLIENT_SECRET, "from a file ");
  assert.equal(variables.PORT, "1");
});

test("a credential given twice, a missing file and an empty file are refused by name", async (t) => {
  const file = await fileWith(t, "\n");
  const both = { PLATFORM_JWT_SECRET: "s3cret", PLATFORM_JWT_SECRET_FILE: file };
  assert.throws(() => readCredentialFiles(both), {
    message: "Lakehelm did not start. Set either PLATFORM_JWT_SECRET or PLATFORM_JWT_SECRET_FILE, not both.",
  });
  assert.throws(() => readCredentialFiles({ DATABASE_URL_FILE: `${file}.missing` }), {
    message: `Lakehelm did not start. DATABASE_URL_FILE names the file ${file}.missing, which cannot be read (ENOENT).`,
  });
  assert.throws(() => readCredentialFiles({ DATABASE_URL_FILE: file }), {
    message: `Lakehelm did not start. DATABASE_URL_FILE names the file ${file}, which is empty.`,
  });
});

test("no process of the server shows a credential in its environment", {
  skip: process.platform !== "linux" && "only Linux has /proc",
}, async (t) => {
  const home = await testHome(t, "sqlite");
  const { child, client, token } = await startProcess(t, home, {
    PLATFORM_SECRET_KEY: "Rk7wQz2mXv9LpT4cYh8N",
  });
  // A query starts the engine.
  await client.runQuery({ body: { sql: "select 1 as one" } });
  const pid = Number(child.pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  assert.ok(children.length > 0 && children[0] !== "");
  for (const id of [pid, ...children]) {
    const variables = readFileSync(`/proc/${id}/environ`, "utf8");
    assert.ok(variables.includes("PATH="), "the variables can be read");
    assert.ok(!variables.includes(token) && !variables.includes("Rk7wQz2mXv9LpT4cYh8N"));
  }
  const handover = /LAKEHELM_CREDENTIALS_FOLDER=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8"));
  assert.ok(handover?.[1] !== undefined && !existsSync(handover[1]), "the files in between are deleted");
});

test("a server that is given a credential twice says so and exits", async (t) => {
  const home = await testHome(t, "sqlite");
  const file = await fileWith(t, "another-service-token");
  const child = spawnServer(t, home, { PLATFORM_SERVICE_AUTH_TOKEN_FILE: file });
  assert.ok(child.stderr);
  const [[code], message] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  assert.equal(code, 1);
  assert.match(
    message,
    /^Lakehelm did not start\. Set either PLATFORM_SERVICE_AUTH_TOKEN or PLATFORM_SERVICE_AUTH_TOKEN_FILE/,
  );
});

test("a start deletes no file that it did not create, whatever the variables name", async (t) => {
  const home = await testHome(t, "sqlite");
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-handover-of-another-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const secrets = join(folder, "secrets");
  await mkdir(secrets);
  for (const name of ["PLATFORM_SECRET_KEY", "other"])
    await writeFile(join(secrets, name), "Rk7wQz2mXv9LpT4cYh8N");
  await startProcess(t, home, {
    LAKEHELM_CREDENTIALS_FOLDER: secrets,
    PLATFORM_SECRET_KEY_FILE: join(secrets, "PLATFORM_SECRET_KEY"),
  });
  assert.deepEqual((await readdir(secrets)).sort(), ["PLATFORM_SECRET_KEY", "other"]);
});

test("without a writable folder for temporary files the server starts and says what that means", async (t) => {
  const home = await testHome(t, "sqlite");
  const child = spawnServer(t, home, { TMPDIR: join(await fileWith(t, "a file, not a folder"), "missing") });
  const lines: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (line: string) => lines.push(line));
  assert.ok(child.stdout);
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  assert.equal(child.exitCode, null, lines.join(""));
  assert.match(
    lines.join(""),
    /^Other programs of this user can read the credentials in \/proc\/\d+\/environ: .+ is not writable \(ENOTDIR\)\. Set TMPDIR .+\n$/,
  );
});
