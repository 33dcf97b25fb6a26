import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fakeIo, lakehelm } from "../testing/terminal.ts";
import { resolveConnection } from "./connection.ts";
import { writeProfiles } from "./profiles.ts";

const token = "tok_4Hn8Zq2Rw7Lc";
const url = "http://127.0.0.1:9";

test("connections: options, variables and profiles", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-cli-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = { LAKEHELM_CONFIG_DIR: folder };
  const credentials = { kind: "token", token } as const;
  const path = await writeProfiles(env, {
    current: "dev",
    profiles: { dev: { url, environment: "dev", credentials } },
  });
  const resolve = (options: object, more: Record<string, string> = {}) =>
    resolveConnection(fakeIo({ env: { ...env, ...more } }).io, options);

  await t.test("only the owner can read the file of profiles", async () => {
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  await t.test("the current profile has the server, the environment and the token", async () => {
    const found = await resolve({});
    assert.deepEqual([found.url, found.environment, found.credentials], [url, "dev", credentials]);
  });

  await t.test("a profile's token is never sent to another server", async () => {
    for (const other of ["http://example.test", "http://127.0.0.1:10", "https://127.0.0.1:9"]) {
      assert.equal((await resolve({ url: other })).credentials, undefined);
      assert.equal((await resolve({}, { LAKEHELM_URL: other })).credentials, undefined);
      assert.equal((await resolve({ profile: "dev", url: other })).credentials, undefined);
    }
  });

  await t.test("variables come before the profile, but not before --profile", async () => {
    const more = { LAKEHELM_URL: "http://example.test", LAKEHELM_TOKEN: "other", LAKEHELM_ENV: "prod" };
    const found = await resolve({}, more);
    assert.deepEqual(
      [found.url, found.environment, found.credentials],
      ["http://example.test", "prod", { kind: "token", token: "other" }],
    );
    assert.deepEqual((await resolve({ profile: "dev" }, more)).credentials, credentials);
    assert.equal((await resolve({ env: "test" }, more)).environment, "test");
  });

  await t.test(
    "a token from a file has no line break; what is no token is refused without showing it",
    async () => {
      const file = join(folder, "token");
      await writeFile(file, `${token}\n`);
      assert.deepEqual((await resolve({}, { LAKEHELM_TOKEN_FILE: file })).credentials, credentials);
      await writeFile(file, "two words\n");
      await assert.rejects(
        resolve({}, { LAKEHELM_TOKEN_FILE: file }),
        (error: Error) => !error.message.includes("two words"),
      );
    },
  );

  await t.test("an unknown profile is an error with a suggestion", async () => {
    await assert.rejects(resolve({ profile: "devv" }), /no profile "devv". Did you mean dev\?/);
  });

  await t.test("a file that others can read is reported, and used", async () => {
    await chmod(path, 0o644);
    const { io, written } = fakeIo({ env });
    assert.deepEqual((await resolveConnection(io, {})).credentials, credentials);
    assert.match(written.stderr, /other users can access .*mode 644.*chmod 600/);
    await chmod(path, 0o600);
  });

  await t.test("a server that is unavailable is one sentence, without the token", async () => {
    const { code, stdout, stderr } = await lakehelm(["environments", "create", "--name", "x"], { env });
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.equal(stderr.trim().split("\n").length, 1);
    assert.ok(stderr.includes(url) && !stderr.includes(token), stderr);
  });

  await t.test("profiles are listed without their tokens, and removed", async () => {
    const { stdout } = await lakehelm(["profiles", "-o", "json"], { env });
    assert.ok(stdout.includes(url) && !stdout.includes(token));
    assert.equal((await lakehelm(["logout"], { env })).code, 0);
    assert.ok(!(await readFile(path, "utf8")).includes(token));
  });

  await t.test("a damaged file is reported without its content", async () => {
    await writeFile(path, `{"profiles": ${token}`);
    const { code, stderr } = await lakehelm(["whoami"], { env });
    assert.equal(code, 2);
    assert.ok(stderr.includes("is not a file of profiles") && !stderr.includes(token), stderr);
  });
});
