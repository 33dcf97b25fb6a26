import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { archivedLines } from "../../testing/archive.ts";
import { eventKey, link } from "../events/chain.ts";
import { eventText } from "../events/event-text.ts";
import { openVault } from "../secrets/vault.ts";
import { createArchive } from "./archive.ts";
import { signEntry } from "./archive-entry.ts";
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

const dayMs = 86_400_000;

function batch(first: number, last: number) {
  const some = events.slice(first - 1, last);
  const chain = { previous: some[0]?.previous ?? "", hash: some.at(-1)?.hash ?? "", time: "" };
  const lines = some.map(({ line }) => line);
  return { records: { first, last, count: lines.length, chain }, lines };
}

async function archiveIn(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-archive-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const clock = { ms: 0 };
  const archive = createArchive({ folder, key, now: () => new Date(clock.ms), reserveBytes: 0 });
  const write = (first: number, last: number) => {
    const { records, lines } = batch(first, last);
    return archive.write("events", records, lines);
  };
  const manifest = join(folder, "events", "manifest.jsonl");
  const problems = async (withKey: typeof key | null = key) =>
    (await verifyArchive(folder, withKey ?? undefined)).flatMap((verdict) => verdict.problems);
  return { folder, clock, write, manifest, problems };
}

/** An archive with the events 1 to 3, 4 to 7 and 8 to 10, each of another day. */
async function archived(t: TestContext) {
  const at = await archiveIn(t);
  const files: string[] = [];
  for (const [first, last] of [
    [1, 3],
    [4, 7],
    [8, 10],
  ] as const) {
    files.push(join(at.folder, "events", (await at.write(first, last)).file));
    at.clock.ms += dayMs;
  }
  return { ...at, files: files as [string, string, string] };
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
  const bytes = await readFile(changed.files[1]);
  bytes.fill(0, 30, 40);
  await writeFile(changed.files[1], bytes);
  assert.deepEqual(await changed.problems(), [
    "1970-01/events-1970-01-02.jsonl.gz, 4 to 7, was changed: its SHA-256 is another one.",
  ]);
  const missing = await archived(t);
  await rm(missing.files[1]);
  assert.match((await missing.problems()).join(), /^1970-01\/events-1970-01-02\.jsonl\.gz is missing\.$/);
  const unlisted = await archived(t);
  await edit(unlisted.manifest, withoutLine(1));
  assert.deepEqual(await unlisted.problems(), [
    "Line 2 of manifest.jsonl was changed, follows a removed one, or has another key.",
    "Events 4 to 7 are missing.",
  ]);
});

test("only the key tells a forged manifest from the right one", async (t) => {
  const { files, manifest, problems } = await archived(t);
  const text = gunzipSync(await readFile(files[2]))
    .toString()
    .replace("e9", "f9");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const packed = gzipSync(text);
  await writeFile(files[2], packed);
  await edit(manifest, (text) => {
    const [one, two, three = ""] = text.split("\n");
    return [one, two, JSON.stringify({ ...JSON.parse(three), sha256, bytes: packed.length }), ""].join("\n");
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
  assert.match(broken.stdout, /^events: NOT INTACT.*\n {2}1970-01\/events-.* is missing\.\n$/);
  assert.equal(broken.status, 1);
});

test("records of a day share a file, and a month a folder, however often retention runs", async (t) => {
  const { folder, clock, write, problems } = await archiveIn(t);
  for (let n = 1; n <= 10; n++) {
    await write(n, n);
    clock.ms += n === 6 ? 40 * dayMs : 3_600_000;
  }
  assert.deepEqual((await readdir(join(folder, "events"), { recursive: true })).sort(), [
    "1970-01",
    "1970-01/events-1970-01-01.jsonl.gz",
    "1970-02",
    "1970-02/events-1970-02-10.jsonl.gz",
    "manifest.jsonl",
  ]);
  assert.deepEqual(
    await archivedLines(join(folder, "events")),
    events.map(({ line }) => line),
  );
  assert.deepEqual(await problems(), []);
});

test("an archive of an earlier version is continued and verified", async (t) => {
  const { folder, clock, write, problems } = await archiveIn(t);
  const { records, lines } = batch(1, 3);
  const text = `${lines.join("\n")}\n`;
  const sha256 = createHash("sha256").update(text).digest("hex");
  const file = `events-000000000001-000000000003-${sha256.slice(0, 12)}.jsonl`;
  const entry = { ...records, file, bytes: Buffer.byteLength(text), sha256, time: new Date(0).toISOString() };
  await mkdir(join(folder, "events"));
  await writeFile(join(folder, "events", file), text);
  await writeFile(join(folder, "events", "manifest.jsonl"), `${JSON.stringify(signEntry(key, "", entry))}\n`);
  await write(4, 7);
  clock.ms += dayMs;
  await write(8, 10);
  const [verdict] = await verifyArchive(folder, key);
  assert.deepEqual([verdict?.problems, verdict?.files, verdict?.records], [[], 3, 10]);
  await appendFile(join(folder, "events", file), "more");
  assert.match((await problems()).join(), /^events-0+1-0+3-\w+\.jsonl, 1 to 3, was changed/);
});

test("a file that was moved away, or is shorter than it was, is not continued", async (t) => {
  const { folder, write } = await archiveIn(t);
  const day = (await write(1, 3)).file;
  await rm(join(folder, "events", day));
  const second = (await write(4, 7)).file;
  assert.equal(second, day.replace(".jsonl", "-2.jsonl"));
  await truncate(join(folder, "events", second), 10);
  assert.equal((await write(8, 10)).file, day.replace(".jsonl", "-3.jsonl"));
});
