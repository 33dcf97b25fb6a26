import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DataProblem } from "../../../protocol/problem.ts";
import type { StagingConfig } from "../../../protocol/transfer.ts";
import { allowsLoopback } from "../../../testing/loopback.ts";
import { startS3, type TestS3, withoutS3 } from "../../../testing/s3-server.ts";
import { openStaging } from "./index.ts";
import type { StagingContext } from "./staging.ts";

const ends: (() => Promise<void>)[] = [];
const s3 = await startS3((end) => ends.push(end));
const folder = await mkdtemp(join(tmpdir(), "lakehelm-staging-"));

after(async () => {
  for (const end of ends) await end();
  await rm(folder, { recursive: true, force: true });
});

const context: StagingContext = {
  folders: { granted: [folder], dataFolder: join(folder, "data") },
  egress: allowsLoopback,
  signal: new AbortController().signal,
  diskReserveMb: 0,
};

/** A place for staging, seen by a cluster. */
interface Place {
  readonly config: StagingConfig;
  /** All files that are staged there, as paths below the place. */
  files(): Promise<string[]>;
  /** What the cluster reads at an address. */
  read(address: string): Promise<string>;
  /** The cluster writes a file to an address. */
  write(address: string, text: string): Promise<void>;
}

let places = 0;

async function newFolder(): Promise<Place> {
  const path = join(folder, `place-${++places}`);
  await mkdir(path);
  return {
    config: { path },
    files: async () =>
      (await readdir(path, { recursive: true, withFileTypes: true }))
        .filter((one) => one.isFile())
        .map((one) => join(one.parentPath, one.name).slice(path.length + 1)),
    read: (address) => readFile(fileURLToPath(address), "utf8"),
    async write(address, text) {
      await mkdir(join(fileURLToPath(address), ".."), { recursive: true });
      await writeFile(fileURLToPath(address), text);
    },
  };
}

const newBucket = (server: TestS3) => async (): Promise<Place> => {
  const bucket = `staging-${++places}`;
  await server.createBucket(bucket);
  const pathOf = (address: string) => address.replace("s3a://", "");
  return {
    config: { ...server.config, path: `s3://${bucket}/spark/rows` },
    files: async () => (await server.keys(bucket)).map((key) => key.replace("spark/rows/", "")),
    read: async (address) => (await server.get(pathOf(address))).text(),
    write: (address, text) => server.put(pathOf(address), text),
  };
};

/** Only where there is a server: `skip` keeps these from being called. */
const kinds = [
  { name: "a folder", skip: false as const, newPlace: newFolder },
  { name: "a bucket", skip: s3 ? (false as const) : withoutS3, newPlace: newBucket(s3 as TestS3) },
];

const attemptOf = (attempt: string, stream = "orders") => ({ environment: "e1", stream, attempt });

async function local(name: string, text: string) {
  const path = join(folder, name);
  await writeFile(path, text);
  return { name, path };
}

for (const { name, skip, newPlace } of kinds) {
  suite(`staging in ${name}`, { skip }, () => {
    test("the cluster reads what is stored, and what the cluster writes is copied here", async () => {
      const place = await newPlace();
      const staging = await openStaging(place.config, attemptOf("first"), context);
      const address = await staging.store("rows", [await local("0-a", "one"), await local("1-b", "two")]);
      assert.equal(await place.read(`${address}/0-a`), "one");
      assert.equal(await place.read(`${address}/1-b`), "two");

      const written = await staging.writableByCluster("copy");
      await place.write(`${written}/part-00000.parquet`, "rows");
      await place.write(`${written}/part-00001.parquet`, "");
      await place.write(`${written}/_SUCCESS`, "");
      await place.write(`${written}/_temporary/part-00002.parquet`, "half");
      const into = await mkdtemp(join(folder, "into-"));
      assert.equal(await staging.retrieve("copy", ".parquet", into), 2);
      assert.deepEqual((await readdir(into)).sort(), ["part-00000.parquet", "part-00001.parquet"]);
      assert.equal(await readFile(join(into, "part-00000.parquet"), "utf8"), "rows");
      await staging.remove();
      assert.deepEqual(await place.files(), []);
    });

    test("an attempt removes what earlier ones of its stream left, and nothing else", async () => {
      const place = await newPlace();
      const lost = await openStaging(place.config, attemptOf("lost"), context);
      await lost.store("rows", [await local("0-a", "lost")]);
      const other = await openStaging(place.config, attemptOf("other", "customers"), context);
      await other.store("rows", [await local("0-a", "other")]);
      await openStaging(place.config, attemptOf("next"), context);
      assert.deepEqual(await place.files(), ["lakehelm-e1/customers/other/rows/0-a"]);
    });

    test("more than is expected, or than there is space for, is not copied here", async () => {
      const place = await newPlace();
      const into = await mkdtemp(join(folder, "into-"));
      const large = "x".repeat(2 ** 21);
      for (const [limit, sentence] of [
        [{ mostRetrievedBytes: 1_000 }, /wrote 2097152 bytes; at most 1000 are expected/],
        [{ diskReserveMb: 1_000_000_000 }, /does not fit on the disk/],
      ] as const) {
        const staging = await openStaging(place.config, attemptOf("first"), { ...context, ...limit });
        const written = await staging.writableByCluster("copy");
        await place.write(`${written}/part-00000.parquet`, large);
        await assert.rejects(staging.retrieve("copy", ".parquet", into), sentence);
        assert.deepEqual(await readdir(into), []);
      }
    });

    test("a run that was cancelled removes its files", async () => {
      const place = await newPlace();
      const run = new AbortController();
      const staging = await openStaging(place.config, attemptOf("first"), { ...context, signal: run.signal });
      await staging.store("rows", [await local("0-a", "one")]);
      run.abort();
      await staging.remove();
      assert.deepEqual(await place.files(), []);
    });
  });
}

suite("staging in a folder that cannot be used", () => {
  const refused = (path: string, sentence: RegExp) =>
    assert.rejects(openStaging({ path }, attemptOf("first"), context), (error: unknown) => {
      assert.ok(error instanceof DataProblem);
      assert.match(error.message, sentence);
      return true;
    });

  test("one that is not there, not granted, or a link to another one is refused", async () => {
    await refused(join(folder, "nothing"), /nothing: there is no such folder/);
    await refused("/etc", /connectors may use only these folders/);
    const { config } = await newFolder();
    await mkdir(join(config.path, "lakehelm-e1"));
    await symlink("/etc", join(config.path, "lakehelm-e1", "orders"));
    await refused(config.path, /leads to another folder/);
  });

  test("files of another folder, to which the cluster wrote a link, are not copied here", async () => {
    const { config } = await newFolder();
    const elsewhere = await mkdtemp(join(folder, "elsewhere-"));
    await writeFile(join(elsewhere, "part-00000.parquet"), "of somebody else");
    const staging = await openStaging(config, attemptOf("first"), context);
    await symlink(elsewhere, fileURLToPath(await staging.writableByCluster("copy")));
    const into = await mkdtemp(join(folder, "into-"));
    await assert.rejects(staging.retrieve("copy", ".parquet", into), /leads to another folder/);
    assert.deepEqual(await readdir(into), []);
  });
});

suite("staging in a bucket, with its parts and credentials", { skip: s3 ? false : withoutS3 }, () => {
  const server = s3 as TestS3;

  test("a large file is uploaded in parts, and uploads that were not completed are removed", async () => {
    const place = await newBucket(server)();
    const bucket = String(place.config.path).split("/")[2];
    const key = `${bucket}/spark/rows/lakehelm-e1/orders/lost/rows/0-a`;
    const begun = await server.fetch(`${key}?uploads=`, { method: "POST" });
    assert.equal(begun.status, 200);
    const uploads = async () => (await server.fetch(`${bucket}?uploads=`)).text();
    assert.match(await uploads(), /lost/);
    const staging = await openStaging(place.config, attemptOf("first"), context);
    assert.doesNotMatch(await uploads(), /lost/);

    const large = await local("large.parquet", "");
    await truncate(large.path, 20 * 2 ** 20);
    const address = await staging.store("rows", [large]);
    const stored = await server.fetch(`${address.replace("s3a://", "")}/large.parquet`, { method: "HEAD" });
    assert.equal(Number(stored.headers.get("Content-Length")), 20 * 2 ** 20);
  });

  test("what is missing or wrong in its settings is said", async () => {
    const { config } = await newBucket(server)();
    const refused = async (more: object, sentence: RegExp) =>
      assert.rejects(
        openStaging({ ...config, ...more }, attemptOf("first"), context),
        (error: unknown) => error instanceof DataProblem && sentence.test(error.message),
      );
    await refused({ access_key_id: undefined, secret_access_key: undefined }, /without credentials/);
    await refused({ secret_access_key: "wrong" }, /Check secret_access_key/);
    await refused({ path: "s3://no-such-bucket/rows" }, /there is no bucket no-such-bucket/);
    await refused({ endpoint: "http://10.0.0.1:9000" }, /cannot be reached/);
  });
});
