import assert from "node:assert/strict";
import { appendFile, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { DataProblem } from "../../../protocol/problem.ts";
import { timeText } from "./file-identity.ts";
import { waitForLastLine } from "./settled-files.ts";

const never = new AbortController().signal;

async function givenFile(t: TestContext, content: string | Buffer) {
  const folder = await mkdtemp(join(tmpdir(), "settled-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "a.csv");
  await writeFile(path, content);
  const handle = await open(path);
  t.after(() => handle.close());
  const { size, mtimeNs, mtimeMs } = await stat(path, { bigint: true });
  const file = {
    path,
    name: "a.csv",
    size: Number(size),
    modified: timeText(mtimeNs / 1000n),
    identities: [],
  };
  const wait = (ageMs: number, signal = never) =>
    waitForLastLine(handle, file, signal, () => Number(mtimeMs) + ageMs);
  return { path, wait };
}

describe("the last line of a file", () => {
  it("is awaited if it has no end and the file is new, and must not grow meanwhile", async (t) => {
    const { path, wait } = await givenFile(t, "id,amount\n1,10");
    await wait(1_990);
    const waiting = wait(0);
    await appendFile(path, ".00\n");
    await assert.rejects(waiting, (error) => error instanceof DataProblem && error.retryable);
  });

  it("is not awaited if it has an end, in any encoding, or if the file is older", async (t) => {
    // An aborted wait throws at once.
    const aborted = AbortSignal.abort();
    for (const content of [
      "",
      "id\n",
      "id\r\n",
      "id\r",
      Buffer.from("id\n", "utf16le"),
      Buffer.from("id\r\n", "utf16le"),
    ])
      await (await givenFile(t, content)).wait(0, aborted);
    const { wait } = await givenFile(t, "id\n1");
    await wait(2_001, aborted);
    await assert.rejects(wait(1_000, aborted), { name: "AbortError" });
  });
});
