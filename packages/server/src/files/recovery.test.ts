import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { type House, newFolder, openHouse, refusal } from "../deployments/test-house.ts";
import { Problem } from "../problems.ts";
import { engines } from "../testing/server.ts";
import { diskProblem } from "./disk.ts";
import { type FileIntentKind, pendingFiles } from "./pending.ts";

/** The first steps of a change: what a process had done when it died. */
async function begun(house: House) {
  const environmentId = (await house.environments.read("local")).id;
  const folderId = (await readFile(join(house.folder, "data-folder-id"), "utf8")).trim();
  const pending = pendingFiles(house.store, folderId);
  return {
    folder: house.files.workspaceFolder(environmentId),
    stage: (id: string, text: string) => writeFile(join(house.folder, "staging", id), text),
    commit: (id: string, kind: FileIntentKind, path: string) =>
      house.store.apply({
        by: house.by(),
        steps: [pending.add({ id, kind, environmentId, path })],
        events: [],
      }),
  };
}
const put = (house: House, path: string, body: string) => house.client.putFile({ params: { path }, body });
const get = async (house: House, path: string) =>
  Buffer.from(await house.client.getFile({ params: { path } })).toString();
async function assertSettled(house: House): Promise<void> {
  assert.deepEqual(await house.intents(), []);
  assert.deepEqual(await readdir(join(house.folder, "staging")), []);
}

test("staged and not committed: it is cleared away, and what was there stays", async (t) => {
  const house = await openHouse(t);
  await put(house, "a", "before");
  await (await begun(house)).stage("s1", "half");
  await house.files.finishFiles(house.by());
  assert.equal(await get(house, "a"), "before");
  await assertSettled(house);
});

for (const engine of engines) {
  test(`committed and not renamed: the next start puts it in place, on ${engine}`, async (t) => {
    const house = await openHouse(t, { engine });
    await put(house, "a/b", "before");
    const { stage, commit } = await begun(house);
    for (const [id, path] of [
      ["s1", "a/b"],
      ["s2", "new/folder/c"],
    ] as const) {
      await stage(id, "after");
      await commit(id, "file.put", path);
    }
    await house.files.finishFiles(house.by());
    assert.equal(await get(house, "a/b"), "after");
    assert.equal(await get(house, "new/folder/c"), "after");
    await assertSettled(house);
  });
}

test("renamed, and the intent left: only the intent goes", async (t) => {
  const house = await openHouse(t);
  await put(house, "a", "after");
  await (await begun(house)).commit("s1", "file.put", "a");
  await house.files.finishFiles(house.by());
  assert.equal(await get(house, "a"), "after");
  await assertSettled(house);
});

test("a deletion that was committed is done, whether the file is still there or not", async (t) => {
  const house = await openHouse(t);
  await put(house, "x/y/a", "1");
  const { folder, commit } = await begun(house);
  await commit("r1", "file.remove", "x/y/a");
  await commit("r2", "file.remove", "gone");
  await house.files.finishFiles(house.by());
  assert.deepEqual(await readdir(folder), []);
  await assertSettled(house);
});

test("what could not be finished is finished by the next change, before it", async (t) => {
  const house = await openHouse(t);
  await put(house, "a", "1");
  const { commit } = await begun(house);
  await commit("r1", "file.remove", "a");
  await put(house, "a", "2");
  await house.files.finishFiles(house.by());
  assert.equal(await get(house, "a"), "2");
  await assertSettled(house);
});

test("what cannot be done any more is given up, and told", async (t) => {
  const house = await openHouse(t);
  const { folder, stage, commit } = await begun(house);
  await mkdir(join(folder, "a"), { recursive: true });
  await writeFile(join(folder, "a/b"), "put here by hand");
  await stage("s1", "after");
  await commit("s1", "file.put", "a");
  await house.files.finishFiles(house.by());
  assert.deepEqual(await house.kinds(), ["file.failed"]);
  assert.equal(await get(house, "a/b"), "put here by hand");
  await assertSettled(house);
});

test("the intents of another server's data folder are left alone", async (t) => {
  const house = await openHouse(t);
  const step = pendingFiles(house.store, "another").add({
    id: "s1",
    kind: "file.put",
    environmentId: "e",
    path: "a",
  });
  await house.store.apply({ by: house.by(), steps: [step], events: [] });
  await house.files.finishFiles(house.by());
  assert.equal((await house.intents()).length, 1);
});

test("a disk that refuses is a 503, and nothing is written or told", async (t) => {
  const house = await openHouse(t);
  const staging = join(house.folder, "staging");
  await rm(staging, { recursive: true });
  await writeFile(staging, "no folder any more");
  assert.equal((await refusal(put(house, "a", "x"))).status, 503);
  assert.deepEqual(await house.kinds(), []);
  assert.equal((await house.client.listFiles()).total, 0);
});

test("a full disk says so, and the caller's own mistakes are no fault of the disk", () => {
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

test("kill -9 during a burst of writes loses and halves no acknowledged file", async (t) => {
  const folder = await newFolder(t);
  const args = [new URL("./burst.fixture.ts", import.meta.url).pathname, folder];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const acknowledged = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [path = "", n] = line.split(" ");
    acknowledged.set(path, Math.max(acknowledged.get(path) ?? 0, Number(n)));
    if (Number(n) > 150) child.kill("SIGKILL");
  }
  assert.ok(acknowledged.size > 0);

  const house = await openHouse(t, { again: { folder } });
  await house.files.finishFiles(house.by());
  for (const [path, n] of acknowledged) {
    const numbers = (await get(house, path)).split(";").slice(0, -1);
    assert.equal(numbers.length, 20_000);
    assert.ok(new Set(numbers).size === 1 && Number(numbers[0]) >= n, `${path}: ${numbers[0]} < ${n}`);
  }
  await assertSettled(house);
});
