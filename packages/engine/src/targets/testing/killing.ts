import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Connection } from "../../requests.ts";
import type { Run, Writing } from "./writing.ts";

const script = join(import.meta.dirname, "killed-run.ts");

/** A run in a process of its own; `until` names the step at which it gets SIGKILL. */
async function killedRun(connection: Connection, run: Run, scratch: string): Promise<void> {
  const told = JSON.stringify({ connection, run });
  const child = spawn(process.execPath, [script, told], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: scratch },
  });
  const [code, signal] = await once(child, "exit");
  assert.deepEqual([code, signal], run.until ? [null, "SIGKILL"] : [0, null]);
}

/** Loads, then changes; every run is killed at each step before it may end. The target must hold what the last one brought. */
export async function killAtEveryStep(writing: Writing, connection: Connection): Promise<void> {
  const load = "SELECT i AS id, 'n' || i AS name FROM range(5000) r(i)";
  const change = "SELECT i AS id, 'changed' AS name FROM range(4000, 6000) r(i)";
  for (const [mark, run] of [
    ["m1", { select: load, whole: true }],
    ["m2", { select: change }],
  ] as const) {
    for (const until of ["staged", "written", "written", "marked"]) {
      await killedRun(connection, { ...run, mark, until }, writing.folder);
      const found = await writing.mark(connection);
      if (until === "marked") assert.equal(found?.value, mark);
      else assert.notEqual(found?.value, mark);
    }
  }
  await killedRun(connection, { select: change, mark: "m2" }, writing.folder);
  await writing.rows(`CREATE OR REPLACE TEMP TABLE outgoing AS ${change}`);
  const expected = `SELECT i AS id, CASE WHEN i < 4000 THEN 'n' || i ELSE 'changed' END AS name FROM range(6000) r(i) ORDER BY ALL`;
  assert.deepEqual(await writing.present(connection), await writing.rows(expected));
}
