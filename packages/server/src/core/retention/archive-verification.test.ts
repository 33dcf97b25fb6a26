import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventKey, link } from "../events/chain.ts";
import { eventText } from "../events/event-text.ts";
import { openVault } from "../secrets/vault.ts";
import { createArchive } from "./archive.ts";
import { verifyArchive } from "./archive-verification.ts";

const secret = "archive-test-key-5Vq8RwYk2mHcXz7L";
const key = eventKey(openVault(secret, (size) => Buffer.alloc(size)).deriveKey("event log"));
const otherKey = eventKey(Buffer.alloc(32, 1));

/** Ten events: the text and hash of each, as the sealer makes them. */
const events = (() => {
  let hash = "";
  return Array.from({ length: 10 }, (_, n) => {
    const previous = hash;
    const body = JSON.stringify({ id: `e${n}`, time: `2026-03-0${n}`, data: { text: `\u2028 ${n}` } });
    hash = link(key, previous, n + 1, body);
    return { previous, hash, line: eventText({ sequence: n + 1, body, hash }) };
  });
})();

/** An archive with the events 1 to 3, 4 to 7 and 8 to 10. */
async function archived(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-archive-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const archive = createArchive({ folder, key, now: () => new Date(0), reserveBytes: 0 });
  const write = (first: number, last: number) => {
    const some = events.slice(first - 1, last);
    const chain = { previous: some[0]?.previous ?? "", hash: some.at(-1)?.hash ?? "", time: "" };
    const lines = some.map(({ line }) => line);
    return archive.write("events", { first, last, count: lines.length, chain }, lines);
  };
  const entries = [await write(1, 3), await write(4, 7), await write(8, 10)];
  const files = entries.map(({ file }) => join(folder, "events", file)) as [string, string, string];
  const manifest = join(folder, "events", "manifest.jsonl");
  const problems = async (withKey: typeof key | null = key) =>
    (await verifyArchive(folder, withKey ?? undefined)).flatMap((verdict) => verdict.problems);
  return { folder, write, files, manifest, problems };
}

const edit = async (path: string, change: (text: string) => string) =>
  writeFile(path, change(await readFile(path, "utf8")));
const withoutLine = (n: number) => (text: string) =>
  text
    .split("\n")
    .filter((_, at) => at !== n)
    .join("\n");

test("an archive as it was written is intact, with and without the key", async (t) => {
  const { folder } = await archived(t);
  for (const withKey of [key, undefined]) {
    const [verdict] = await verifyArchive(folder, withKey);
    assert.deepEqual(verdict, {
      kind: "events",
      files: 3,
      records: 10,
      first: 1,
      last: 10,
      replaced: [],
      unlisted: [],
      problems: [],
    });
  }
});

test("a changed file, a missing file and a missing line are found", async (t) => {
  const changed = await archived(t);
  await edit(changed.files[1], (text) => text.replace("e4", "f4"));
  assert.match(
    (await changed.problems()).join(),
    /^events-0+4-0+7-\w+\.jsonl was changed: its SHA-256 is \w+\.$/,
  );
  const missing = await archived(t);
  await rm(missing.files[1]);
  assert.match((await missing.problems()).join(), /^events-0+4-.* is missing\.$/);
  const unlisted = await archived(t);
  await edit(unlisted.manifest, withoutLine(1));
  assert.deepEqual(await unlisted.problems(), [
    "Line 2 of manifest.jsonl was changed, follows a removed one, or has another key.",
    "Events 4 to 7 are missing.",
  ]);
});

test("only the key tells a forged manifest from the right one", async (t) => {
  const { files, manifest, problems } = await archived(t);
  await edit(files[2], (text) => text.replace("e9", "f9"));
  const sha256 = createHash("sha256")
    .update(await readFile(files[2]))
    .digest("hex");
  await edit(manifest, (text) => {
    const [one, two, three = ""] = text.split("\n");
    return [one, two, JSON.stringify({ ...JSON.parse(three), sha256 }), ""].join("\n");
  });
  assert.deepEqual(await problems(null), []);
  const [line, event] = await problems();
  assert.equal(line, "Line 3 of manifest.jsonl was changed, follows a removed one, or has another key.");
  assert.match(event ?? "", /: event 10 was changed or removed\.$/);
  assert.ok((await problems(otherKey)).length > 3);
});

test("a range that was archived again counts once, and half a line does not count", async (t) => {
  const { folder, write, manifest } = await archived(t);
  await write(8, 9);
  await appendFile(manifest, '{"first":10');
  await writeFile(join(folder, "events", "events-left.jsonl"), "half");
  const [verdict] = await verifyArchive(folder, key);
  assert.deepEqual(
    [verdict?.problems, verdict?.records, verdict?.last, verdict?.replaced.length, verdict?.unlisted],
    [[], 9, 9, 1, ["events-left.jsonl"]],
  );
  // The next file cuts the half line off.
  await write(10, 10);
  assert.deepEqual((await verifyArchive(folder, key))[0]?.records, 10);
});

test("a manifest with a changed last line is not continued", async (t) => {
  const { manifest, write } = await archived(t);
  await edit(manifest, (text) => text.replace('"last":10', '"last":11'));
  await assert.rejects(write(10, 10), /manifest\.jsonl was changed, or written with another secret key/);
});

test("the command says what is wrong, and exits with 1", async (t) => {
  const { folder, files } = await archived(t);
  const root = join(import.meta.dirname, "../../../../..");
  const verify = (env: Record<string, string> = {}) =>
    spawnSync(process.execPath, ["run.js", "scripts/verify-archive.ts", folder], {
      cwd: root,
      env: { PLATFORM_DATA_DIR: folder, ...env },
      encoding: "utf8",
    });
  const intact = verify({ PLATFORM_SECRET_KEY: secret });
  assert.deepEqual([intact.stdout, intact.status], ["events: intact, 10 records in 3 files, 1 to 10\n", 0]);
  assert.match(verify().stdout, /Without the secret key, only checksums/);
  await rm(files[0]);
  const broken = verify({ PLATFORM_SECRET_KEY: secret });
  assert.match(broken.stdout, /^events: NOT INTACT.*\n {2}events-.* is missing\.\n$/);
  assert.equal(broken.status, 1);
});
