import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { type House, openHouse, refusal } from "../deployments/test-house.ts";
import { engines } from "../testing/server.ts";

const put = (house: House, path: string, body: Uint8Array | string) =>
  house.client.putFile({ params: { path }, body });
const get = async (house: House, path: string) =>
  Buffer.from(await house.client.getFile({ params: { path } })).toString();
const list = async (house: House, query: { prefix?: string; skip?: number; limit?: number } = {}) => {
  const { files, total } = await house.client.listFiles({ query });
  return { paths: files.map(({ path }) => path), total };
};
const workspace = async (house: House) =>
  house.files.workspaceFolder((await house.environments.read("local")).id);
const stagedIn = (house: House) => readdir(join(house.folder, "staging"));

test("PUT, GET, DELETE of any bytes, with the sha256 as ETag", async (t) => {
  const house = await openHouse(t);
  const bytes = Buffer.from([0, 255, 10, 13, 0]);
  const file = await put(house, "pipelines/a b/ü.bin", bytes);
  const sha256 = hash("sha256", bytes);
  assert.deepEqual(
    { ...file, updated_at: "" },
    { path: "pipelines/a b/ü.bin", size: 5, sha256, updated_at: "" },
  );
  const params = { path: "pipelines/a b/ü.bin" };
  const read = await house.client.withResponse.getFile({ params });
  assert.deepEqual(Buffer.from(read.body), bytes);
  assert.equal(read.etag, `"${sha256}"`);
  const answer = await house.fetch("/api/v1/files/pipelines/a%20b/%C3%BC.bin");
  assert.equal(answer.headers.get("content-type"), "application/octet-stream");
  assert.deepEqual((await house.client.listFiles()).files, [file]);

  const done = await house.client.deleteFile({ params });
  assert.deepEqual(done, { success: true, message: "pipelines/a b/ü.bin deleted." });
  assert.equal((await refusal(house.client.getFile({ params }))).status, 404);
  assert.equal((await refusal(house.client.deleteFile({ params }))).status, 404);
  assert.deepEqual(await readdir(await workspace(house)), []);
  assert.deepEqual(await house.kinds(), ["file.written", "file.deleted"]);
  assert.deepEqual(await house.intents(), []);
});

test("an empty file is a file, and the largest body is a file", async (t) => {
  const house = await openHouse(t);
  assert.equal((await put(house, "empty", "")).size, 0);
  assert.equal(await get(house, "empty"), "");
  assert.equal((await put(house, "large", new Uint8Array(16 * 1024 * 1024))).size, 16 * 1024 * 1024);
  const params = { path: "larger" };
  const body = new Uint8Array(16 * 1024 * 1024 + 1);
  const refused = await refusal(house.client.putFile({ params, body }));
  assert.ok(refused.status === 413 || refused.kind === "network", String(refused.status));
  assert.deepEqual(await stagedIn(house), []);
});

test("PUT replaces a file; the same bytes again write nothing", async (t) => {
  const house = await openHouse(t);
  const first = await put(house, "a.sql", "select 1");
  assert.deepEqual(await put(house, "a.sql", "select 1"), first);
  assert.equal((await put(house, "a.sql", "select 2")).size, 8);
  assert.equal(await get(house, "a.sql"), "select 2");
  assert.deepEqual(await house.kinds(), ["file.written", "file.written"]);
  assert.deepEqual(await stagedIn(house), []);
});

test("a path answers with a trailing slash too", async (t) => {
  const house = await openHouse(t);
  await house.fetch("/api/v1/files/a/b/", { method: "PUT", body: "x" });
  assert.deepEqual(await list(house), { paths: ["a/b"], total: 1 });
});

test("the list is sorted by path, by prefix, with skip, limit and total", async (t) => {
  const house = await openHouse(t);
  for (const path of ["b/2", "a", "b/10", "b.txt", "c/d/e", "b/sub/x"]) await put(house, path, path);
  const all = ["a", "b.txt", "b/10", "b/2", "b/sub/x", "c/d/e"];
  assert.deepEqual(await list(house), { paths: all, total: 6 });
  assert.deepEqual(await list(house, { skip: 1, limit: 2 }), { paths: ["b.txt", "b/10"], total: 6 });
  assert.deepEqual(await list(house, { prefix: "b/" }), { paths: ["b/10", "b/2", "b/sub/x"], total: 3 });
  assert.deepEqual(await list(house, { prefix: "b/s" }), { paths: ["b/sub/x"], total: 1 });
  assert.deepEqual(await list(house, { prefix: "c/d/e" }), { paths: ["c/d/e"], total: 1 });
  for (const prefix of ["../", "/", "c/d/e/", "b/sub/../"]) {
    assert.deepEqual(await list(house, { prefix }), { paths: [], total: 0 });
  }
});

const rawStatus = (house: House, path: string) =>
  new Promise<number | undefined>((answered, failed) => {
    const { origin } = new URL(house.baseUrl);
    const call = request(origin, { method: "PUT", path: `/api/v1/files/${path}`, headers: house.headers });
    call.on("response", (response) => answered(response.resume().statusCode)).on("error", failed);
    call.end("x");
  });

test("a path never leaves the folder", async (t) => {
  const house = await openHouse(t);
  await writeFile(join(house.folder, "outside"), "outside");
  const long = "x".repeat(256);
  const attacks = [
    "../outside",
    "a/../../outside",
    "./a",
    "a/./b",
    "a//b",
    "/etc/passwd",
    "a\\b",
    "..\\outside",
    ".lakehelm-x/a",
    long,
    `a/${long}`,
    `${"y/".repeat(600)}z`,
  ];
  for (const path of attacks) {
    const url = `/api/v1/files/${encodeURIComponent(path)}`;
    for (const method of ["PUT", "GET", "DELETE"]) {
      const answer = await house.fetch(url, { method, ...(method === "PUT" && { body: "x" }) });
      assert.equal(answer.status, 409, `${method} ${path.slice(0, 40)}`);
      assert.equal(typeof ((await answer.json()) as { detail: unknown }).detail, "string");
    }
  }
  // As they are: fetch would tidy them up.
  for (const path of ["..", ".", "%2e%2e", "../../outside", "a/%2E%2E/%2E%2E/outside", "a//b"]) {
    assert.equal(await rawStatus(house, path), 409, path);
  }
  for (const path of ["a%00b", "%FF", "a%2", "/a"]) {
    assert.ok([400, 404].includes((await rawStatus(house, path)) ?? 0), path);
  }
  assert.equal(await readFile(join(house.folder, "outside"), "utf8"), "outside");
  assert.deepEqual(await list(house), { paths: [], total: 0 });
  assert.deepEqual(await house.kinds(), []);
  assert.deepEqual(await stagedIn(house), []);
});

test("links on the way and at the end are refused, and not listed", async (t) => {
  const house = await openHouse(t);
  const outside = join(house.folder, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret"), "secret");
  await put(house, "a/real", "x");
  await symlink(outside, join(await workspace(house), "a/folder"));
  await symlink(join(outside, "secret"), join(await workspace(house), "a/file"));
  for (const path of ["a/folder/secret", "a/folder/new", "a/folder", "a/file"]) {
    const params = { path };
    assert.equal((await refusal(put(house, path, "x"))).status, 409, path);
    assert.equal((await refusal(house.client.getFile({ params }))).status, 409, path);
    assert.equal((await refusal(house.client.deleteFile({ params }))).status, 409, path);
  }
  assert.deepEqual(await list(house), { paths: ["a/real"], total: 1 });
  assert.deepEqual(await readdir(outside), ["secret"]);
});

test("a path below a file, or in the place of a folder, is 409", async (t) => {
  const house = await openHouse(t);
  await put(house, "a/b", "x");
  assert.equal((await refusal(put(house, "a/b/c/d", "x"))).status, 409);
  assert.equal((await refusal(put(house, "a", "x"))).status, 409);
  for (const path of ["a", "a/b/c"]) {
    assert.equal((await refusal(house.client.getFile({ params: { path } }))).status, 404);
    assert.equal((await refusal(house.client.deleteFile({ params: { path } }))).status, 404);
  }
  assert.deepEqual(await list(house), { paths: ["a/b"], total: 1 });
  assert.deepEqual(await house.kinds(), ["file.written"]);
});

test("folders that a crash left empty are in nobody's way", async (t) => {
  const house = await openHouse(t);
  await mkdir(join(await workspace(house), "a/b/c"), { recursive: true });
  await put(house, "a", "x");
  assert.equal(await get(house, "a"), "x");
});

for (const engine of engines) {
  test(`PUTs of one path at once all succeed; one of them is kept, whole, and it is the last one told, on ${engine}`, async (t) => {
    const house = await openHouse(t, { engine });
    const bodies = Array.from({ length: 16 }, (_, n) => `${n};`.repeat(5000 + n));
    await Promise.all(bodies.map((body) => put(house, "hot/file", body)));
    const kept = await get(house, "hot/file");
    assert.ok(bodies.includes(kept));
    const last = (await house.events()).at(-1)?.data as { sha256: string };
    assert.equal(last.sha256, hash("sha256", kept));
    assert.deepEqual(await stagedIn(house), []);
    assert.deepEqual(await house.intents(), []);
  });
}

test("PUT and DELETE at once in one folder never fail for each other", async (t) => {
  const house = await openHouse(t);
  const one = async (n: number) => {
    const path = `deep/er/${n % 4}`;
    await put(house, path, `${n}`);
    await house.client.deleteFile({ params: { path } }).catch((error) => assert.equal(error.status, 404));
  };
  await Promise.all(Array.from({ length: 32 }, (_, n) => one(n)));
  assert.deepEqual(await list(house), { paths: [], total: 0 });
  assert.deepEqual(await readdir(await workspace(house)), []);
});

test("readers and listings beside writers see whole files only", async (t) => {
  const house = await openHouse(t);
  const bodies = ["a", "b"].map((letter) => letter.repeat(300_000));
  const sums = bodies.map((body) => hash("sha256", body));
  await put(house, "f", bodies[0] as string);
  let writing = true;
  const writer = (async () => {
    for (let n = 0; n < 20; n++) await put(house, "f", bodies[n % 2] as string);
    writing = false;
  })();
  while (writing) {
    const read = await house.client.withResponse.getFile({ params: { path: "f" } });
    assert.equal(`"${hash("sha256", read.body)}"`, read.etag);
    const { files, total } = await house.client.listFiles();
    assert.deepEqual([files.length, total], [1, 1]);
    assert.ok(sums.includes(files[0]?.sha256 ?? ""));
  }
  await writer;
});

test("each environment has a folder of its own; unknown is 404, inactive 409", async (t) => {
  const house = await openHouse(t);
  const { client } = house;
  await client.createEnvironment({ body: { name: "staging" } });
  await client.createEnvironment({ body: { name: "off", isActive: false } });
  const call = { params: { path: "a" }, body: "there" };
  await client.putFile({ ...call, environment: "staging" });
  assert.equal((await list(house)).total, 0);
  assert.equal((await client.listFiles({ environment: "staging" })).total, 1);
  assert.equal((await refusal(client.putFile({ ...call, environment: "nowhere" }))).status, 404);
  assert.equal((await refusal(client.putFile({ ...call, environment: "off" }))).status, 409);
});

test("an environment is deleted only while it holds no file, and its folder goes with it", async (t) => {
  const house = await openHouse(t);
  const { id } = await house.client.createEnvironment({ body: { name: "staging" } });
  const environment = "staging";
  const remove = () =>
    house.files.whileEmpty(id, () => house.client.deleteEnvironment({ params: { environment_id: id } }));
  await house.client.putFile({ params: { path: "a/b" }, body: "x", environment });
  assert.equal(await house.files.isEmpty(id), false);
  await assert.rejects(remove(), /still files/);
  await house.client.deleteFile({ params: { path: "a/b" }, environment });
  assert.equal(await house.files.isEmpty(id), true);

  const { doc } = await house.environments.read(id);
  const [removed, late] = await Promise.allSettled([
    remove(),
    house.files.put(doc, "a", Buffer.from("x"), house.by()),
  ]);
  assert.equal(removed.status, "fulfilled");
  assert.match(late.status === "rejected" ? late.reason.message : "", /no environment/);
  assert.equal(existsSync(house.files.workspaceFolder(id)), false);
  assert.deepEqual(await stagedIn(house), []);
});
