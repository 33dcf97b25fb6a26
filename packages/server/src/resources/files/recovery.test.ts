import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { Problem } from "../../core/errors.ts";
import { diskProblem } from "../../core/files/disk.ts";
import { testOutbox } from "../../testing/outbox.ts";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";
import { context } from "../../testing/store.ts";
import { type FileChange, fileKey, fileTopic } from "./file-change.ts";
import { createFileOwners } from "./file-owners.ts";
import { newWorkspace, stagedIn } from "./test-files.ts";

for (const engine of engines) {
  suite(`files after a crash on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    /** A workspace, and the first steps of a change: the state after a crash. */
    async function given() {
      const workspace = await newWorkspace(() => server);
      const { dataDir, deps } = server;
      const folderId = (await readFile(join(dataDir, "data-folder-id"), "utf8")).trim();
      const outbox = testOutbox(deps);
      const { environment: environmentId } = workspace;
      return {
        ...workspace,
        stage: (id: string, text: string) => writeFile(join(dataDir, "staging", id), text),
        async commit(id: string, kind: FileChange["kind"], path: string) {
          const key = fileKey(folderId, environmentId);
          const payload = { kind, path, dataFolderId: folderId };
          const step = outbox.add(fileTopic, { id, key, environmentId, payload });
          const owners = createFileOwners(deps.store);
          const counted =
            kind === "file.put"
              ? [await owners.written(environmentId, path, 5)]
              : await owners.removed(environmentId, path);
          await deps.store.apply({ context, steps: [step, ...counted], events: [] });
        },
        countedFiles: async () =>
          ((await server.rows()).file_owners ?? []).flatMap((row) =>
            row.environment_id === environmentId ? [row.path] : [],
          ),
      };
    }
    async function nextStart(): Promise<void> {
      server = await server.restart();
    }
    async function assertNothingPending(): Promise<void> {
      assert.deepEqual((await server.rows()).outbox, []);
      assert.deepEqual(await stagedIn(server), []);
    }

    test("a staged file without a commit is removed, and the earlier file stays", async () => {
      const { put, get, stage } = await given();
      await put("a", "before");
      await stage("s1", "half");
      await nextStart();
      assert.equal(await get("a"), "before");
      await assertNothingPending();
    });

    test("a committed file that was not renamed is renamed at the next start", async () => {
      const { put, get, stage, commit } = await given();
      await put("a/b", "before");
      for (const [id, path] of [
        ["s1", "a/b"],
        ["s2", "new/folder/c"],
      ] as const) {
        await stage(id, "after");
        await commit(id, "file.put", path);
      }
      await nextStart();
      assert.equal(await get("a/b"), "after");
      assert.equal(await get("new/folder/c"), "after");
      await assertNothingPending();
    });

    test("an outbox entry of a renamed file is removed", async () => {
      const { put, get, commit } = await given();
      await put("a", "after");
      await commit("s1", "file.put", "a");
      await nextStart();
      assert.equal(await get("a"), "after");
      await assertNothingPending();
    });

    test("a committed deletion is completed, whether the file still exists or not", async () => {
      const { folder, put, commit } = await given();
      await put("x/y/a", "1");
      await commit("r1", "file.remove", "x/y/a");
      await commit("r2", "file.remove", "gone");
      await nextStart();
      assert.deepEqual(await readdir(folder), []);
      await assertNothingPending();
    });

    test("the next change first completes an unfinished one", async () => {
      const { put, get, commit } = await given();
      await put("a", "1");
      await commit("r1", "file.remove", "a");
      await put("a", "2");
      await assertNothingPending();
      await nextStart();
      assert.equal(await get("a"), "2");
    });

    test("a change that has become impossible is discarded with an event", async () => {
      const { folder, get, stage, commit, kinds, countedFiles } = await given();
      await mkdir(join(folder, "a"), { recursive: true });
      await writeFile(join(folder, "a/b"), "written by hand");
      await stage("s1", "after");
      await commit("s1", "file.put", "a");
      await nextStart();
      assert.deepEqual(await kinds(), ["file.failed"]);
      assert.deepEqual(await countedFiles(), []);
      assert.equal(await get("a/b"), "written by hand");
      await assertNothingPending();
    });

    test("the entries of another server's data folder are left alone", async () => {
      const payload = { kind: "file.put", path: "a", dataFolderId: "another" } as const;
      const entry = { id: "s1", key: fileKey("another", "e"), environmentId: "e", payload };
      const step = testOutbox(server.deps).add(fileTopic, entry);
      await server.deps.store.apply({ context, steps: [step], events: [] });
      await nextStart();
      await server.server.tick();
      const outbox = testOutbox(server.deps);
      assert.deepEqual(await outbox.pending(fileTopic), [{ ...entry, attempts: 0 }]);
      await server.deps.store.apply({ context, steps: [outbox.complete("s1")], events: [] });
    });

    test("a disk error is 503, and no file or event is written", async (t) => {
      const { put, list, kinds } = await given();
      const staging = join(server.dataDir, "staging");
      await rm(staging, { recursive: true });
      await writeFile(staging, "not a folder");
      t.after(async () => {
        await rm(staging);
        await mkdir(staging);
      });
      await refused(put("a", "x"), 503);
      assert.deepEqual(await kinds(), []);
      assert.equal((await list()).total, 0);
    });
  });
}

test("a full disk is named in the error, and the caller's mistakes are not disk errors", () => {
  const failed = (code: string) => diskProblem(Object.assign(new Error(code), { code, syscall: "write" }));
  const kindOf = (problem: unknown) => problem instanceof Problem && [problem.kind, problem.message];
  for (const code of ["ENOSPC", "EDQUOT"]) {
    assert.deepEqual(kindOf(failed(code)), ["unavailable", "The disk is full: nothing was written."]);
  }
  assert.equal((failed("ENAMETOOLONG") as Problem).kind, "conflict");
  assert.equal((failed("EIO") as Problem).kind, "unavailable");
  const bug = new TypeError("a bug");
  assert.equal(diskProblem(bug), bug);
});
