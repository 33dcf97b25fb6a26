import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";
import { newWorkspace, stagedIn } from "./test-files.ts";

for (const engine of engines) {
  suite(`files on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());
    const given = () => newWorkspace(() => server);

    test("PUT, GET, DELETE of any bytes, with the sha256 as ETag", async () => {
      const { environment, folder, put, open, remove, files, kinds } = await given();
      const bytes = Buffer.from([0, 255, 10, 13, 0]);
      const path = "pipelines/a b/ü.bin";
      const file = await put(path, bytes);
      const sha256 = hash("sha256", bytes);
      assert.deepEqual(file, { path, size: 5, sha256, updated_at: file.updated_at });
      const read = await open(path);
      assert.deepEqual(Buffer.from(read.body), bytes);
      assert.equal(read.etag, `"${sha256}"`);
      const answer = await server.fetch("/api/v1/files/pipelines/a%20b/%C3%BC.bin", {
        headers: { "x-environment-id": environment },
      });
      assert.equal(answer.headers.get("content-type"), "application/octet-stream");
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
      assert.deepEqual(await files(), [file]);

      assert.deepEqual(await remove(path), { success: true, message: `${path} deleted.` });
      await refused(open(path), 404);
      await refused(remove(path), 404);
      assert.deepEqual(await readdir(folder), []);
      assert.deepEqual(await kinds(), ["file.written", "file.deleted"]);
      assert.deepEqual((await server.rows()).outbox, []);
    });

    test("a file may be empty or as large as the limit", async () => {
      const { put, get, list } = await given();
      assert.equal((await put("empty", "")).size, 0);
      assert.equal(await get("empty"), "");
      assert.equal((await put("large", new Uint8Array(16 * 1024 * 1024))).size, 16 * 1024 * 1024);
      const larger = put("larger", new Uint8Array(16 * 1024 * 1024 + 1));
      // The server responds before it has read the whole body: a client that is still sending may miss the response.
      await assert.rejects(larger, ({ status, kind }) => status === 413 || kind === "network");
      assert.deepEqual(await stagedIn(server), []);
      assert.deepEqual(await list(), { paths: ["empty", "large"], total: 2 });
    });

    test("PUT replaces a file; identical bytes write nothing", async () => {
      const { put, get, kinds } = await given();
      const first = await put("a.sql", "select 1");
      const before = await server.rows();
      assert.deepEqual(await put("a.sql", "select 1"), first);
      assert.deepEqual(await server.rows(), before);
      assert.equal((await put("a.sql", "select 2")).size, 8);
      assert.equal(await get("a.sql"), "select 2");
      assert.deepEqual(await kinds(), ["file.written", "file.written"]);
      assert.deepEqual(await stagedIn(server), []);
    });

    test("a path may have a trailing slash", async () => {
      const { environment, list } = await given();
      const headers = { "x-environment-id": environment };
      await server.fetch("/api/v1/files/a/b/", { method: "PUT", body: "x", headers });
      assert.deepEqual(await list(), { paths: ["a/b"], total: 1 });
    });

    test("the list is sorted by path, with prefix, skip, limit and total", async () => {
      const { put, list } = await given();
      for (const path of ["b/2", "a", "b/10", "b.txt", "c/d/e", "b/sub/x"]) await put(path, path);
      const all = ["a", "b.txt", "b/10", "b/2", "b/sub/x", "c/d/e"];
      assert.deepEqual(await list(), { paths: all, total: 6 });
      assert.deepEqual(await list({ skip: 1, limit: 2 }), { paths: ["b.txt", "b/10"], total: 6 });
      assert.deepEqual(await list({ prefix: "b/" }), { paths: ["b/10", "b/2", "b/sub/x"], total: 3 });
      assert.deepEqual(await list({ prefix: "b/s" }), { paths: ["b/sub/x"], total: 1 });
      assert.deepEqual(await list({ prefix: "c/d/e" }), { paths: ["c/d/e"], total: 1 });
      for (const prefix of ["../", "/", "c/d/e/", "b/sub/../"]) {
        assert.deepEqual(await list({ prefix }), { paths: [], total: 0 });
      }
    });

    test("a path cannot leave the folder", async (t) => {
      const { environment, list, kinds } = await given();
      const outside = join(server.dataDir, "outside");
      await writeFile(outside, "outside");
      t.after(() => rm(outside));
      const headers = { "x-environment-id": environment, authorization: `Bearer ${server.token}` };
      const rawStatus = (path: string) =>
        new Promise<number | undefined>((answered, failed) => {
          const call = request(server.url, { method: "PUT", path: `/api/v1/files/${path}`, headers });
          call.on("response", (response) => answered(response.resume().statusCode)).on("error", failed);
          call.end("x");
        });
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
          const answer = await server.fetch(url, { method, headers, ...(method === "PUT" && { body: "x" }) });
          assert.equal(answer.status, 409, `${method} ${path.slice(0, 40)}`);
          assert.equal(typeof ((await answer.json()) as { detail: unknown }).detail, "string");
        }
      }
      // Sent without fetch, which would normalize these paths.
      for (const path of ["..", ".", "%2e%2e", "../../outside", "a/%2E%2E/%2E%2E/outside", "a//b"]) {
        assert.equal(await rawStatus(path), 409, path);
      }
      for (const path of ["a%00b", "%FF", "a%2", "/a"]) {
        assert.ok([400, 404].includes((await rawStatus(path)) ?? 0), path);
      }
      assert.equal(await readFile(outside, "utf8"), "outside");
      assert.deepEqual(await list(), { paths: [], total: 0 });
      assert.deepEqual(await kinds(), []);
      assert.deepEqual(await stagedIn(server), []);
    });

    test("symbolic links in a path are refused and not listed", async (t) => {
      const { folder, put, open, remove, list } = await given();
      const outside = join(server.dataDir, "outside");
      await mkdir(outside);
      t.after(() => rm(outside, { recursive: true }));
      await writeFile(join(outside, "secret"), "secret");
      await put("a/real", "x");
      await symlink(outside, join(folder, "a/folder"));
      await symlink(join(outside, "secret"), join(folder, "a/file"));
      for (const path of ["a/folder/secret", "a/folder/new", "a/folder", "a/file"]) {
        await refused(put(path, "x"), 409);
        await refused(open(path), 409);
        await refused(remove(path), 409);
      }
      assert.deepEqual(await list(), { paths: ["a/real"], total: 1 });
      assert.deepEqual(await readdir(outside), ["secret"]);
    });

    test("a path below a file, or of a folder, is 409", async () => {
      const { put, open, remove, list, kinds } = await given();
      await put("a/b", "x");
      await refused(put("a/b/c/d", "x"), 409);
      await refused(put("a", "x"), 409);
      for (const path of ["a", "a/b/c"]) {
        await refused(open(path), 404);
        await refused(remove(path), 404);
      }
      assert.deepEqual(await list(), { paths: ["a/b"], total: 1 });
      assert.deepEqual(await kinds(), ["file.written"]);
    });

    test("a path of a new file has at most 32 names, and deeper files can still be read and deleted", async () => {
      const { folder, put, get, remove, list } = await given();
      const names = (count: number) => Array(count).fill("a").join("/");
      await put(names(32), "x");
      await refused(put(`b/${names(32)}`, "x"), 409, /at most 32 names/);
      assert.deepEqual(await readdir(folder), ["a"]);
      await mkdir(join(folder, "c", names(50)), { recursive: true });
      const old = `c/${names(50)}/old`;
      await writeFile(join(folder, old), "old");
      assert.equal(await get(old), "old");
      await remove(old);
      assert.deepEqual(await list(), { paths: [names(32)], total: 1 });
    });

    test("empty folders that a crash left do not block a file", async () => {
      const { folder, put, get } = await given();
      await mkdir(join(folder, "a/b/c"), { recursive: true });
      await put("a", "x");
      assert.equal(await get("a"), "x");
    });

    test("concurrent PUTs of one path all succeed; the kept file is complete and matches the last event", async () => {
      const { put, get, events } = await given();
      const bodies = Array.from({ length: 16 }, (_, n) => `${n};`.repeat(5000 + n));
      await Promise.all(bodies.map((body) => put("hot/file", body)));
      const kept = await get("hot/file");
      assert.ok(bodies.includes(kept));
      assert.equal((await events()).at(-1)?.data.sha256, hash("sha256", kept));
      assert.deepEqual(await stagedIn(server), []);
      assert.deepEqual((await server.rows()).outbox, []);
    });

    test("concurrent PUTs and DELETEs in one folder do not fail", async () => {
      const { folder, put, remove, list } = await given();
      const one = async (n: number) => {
        const path = `deep/er/${n % 4}`;
        await put(path, `${n}`);
        await remove(path).catch((error) => assert.equal(error.status, 404));
      };
      await Promise.all(Array.from({ length: 32 }, (_, n) => one(n)));
      assert.deepEqual(await list(), { paths: [], total: 0 });
      assert.deepEqual(await readdir(folder), []);
    });

    test("concurrent readers and listings see only complete files", async () => {
      const { put, open, files } = await given();
      const bodies = ["a", "b"].map((letter) => letter.repeat(300_000));
      const sums = bodies.map((body) => hash("sha256", body));
      await put("f", bodies[0] as string);
      let isWriting = true;
      const writer = (async () => {
        for (let n = 0; n < 20; n++) await put("f", bodies[n % 2] as string);
        isWriting = false;
      })();
      while (isWriting) {
        const read = await open("f");
        assert.equal(`"${hash("sha256", read.body)}"`, read.etag);
        const listed = await files();
        assert.equal(listed.length, 1);
        assert.ok(sums.includes(listed[0]?.sha256 ?? ""));
      }
      await writer;
    });

    test("each environment has its own folder; an unknown environment is 404, an inactive one 409", async () => {
      const { client } = server;
      const [here, there] = [await given(), await given()];
      await there.put("a", "there");
      assert.equal((await here.list()).total, 0);
      assert.equal((await there.list()).total, 1);
      const call = { params: { path: "a" }, body: "x" };
      await refused(client.putFile({ ...call, environment: "nowhere" }), 404);
      const params = { environment_id: there.environment };
      await client.updateEnvironment({ params, body: { isActive: false } });
      await refused(there.put("a", "x"), 409, /not active/);
    });

    test("an environment with files cannot be deleted; its deletion removes the folder", async () => {
      const { environment, folder, put, remove } = await given();
      const removeEnvironment = () =>
        server.client.deleteEnvironment({ params: { environment_id: environment } });
      await put("a/b", "x");
      await refused(removeEnvironment(), 409, /still has files/);
      await remove("a/b");
      await removeEnvironment();
      await refused(put("a", "x"), 404, /no environment/);
      assert.equal(existsSync(folder), false);
      assert.deepEqual(await stagedIn(server), []);
    });

    test("of a concurrent file and deletion of its environment one is refused", async () => {
      for (let n = 0; n < 8; n++) {
        const { environment, folder, put, list } = await given();
        const [written, removed] = await Promise.allSettled([
          put("a", "x"),
          server.client.deleteEnvironment({ params: { environment_id: environment } }),
        ]);
        assert.notEqual(written.status, removed.status);
        if (written.status === "rejected") assert.equal(written.reason.status, 404);
        if (removed.status === "rejected") assert.equal(removed.reason.status, 409);
        assert.equal(existsSync(folder), written.status === "fulfilled");
        if (written.status === "fulfilled") assert.deepEqual(await list(), { paths: ["a"], total: 1 });
      }
      assert.deepEqual(await stagedIn(server), []);
      assert.deepEqual((await server.rows()).outbox, []);
    });
  });
}
