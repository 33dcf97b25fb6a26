/** Kills the engine's process at every second crash point of a capture (at night at each) while the source changes. Afterwards the warehouse equals the source. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import {
  capturedTables,
  captureRequest,
  changeCapturedTables,
  createCapturedTables,
  startLogServer,
} from "../../testing/capture-harness.ts";
import { requestThroughCrashes } from "../../testing/crashing-transfer.ts";
import { withDuckdb } from "../../testing/duckdb.ts";
import { seededRandom } from "../../testing/seeded-random.ts";
import { literal } from "../../warehouse/names.ts";

enableCompileCache();
const seed = Number(process.env.KILLS_SEED ?? 1);
const { connection, client } = await startLogServer({ after });

const setUp = ["published", "begun"] as const;
const ofRows = ["read", "staged", "written", "checkpointed"] as const;
const atEnd = ["committed", "confirmed", "recorded"] as const;
const ofSnapshot = [...setUp, ...ofRows, "snapshot", ...atEnd] as const;
const ofChanges = [...setUp, ...ofRows, 700, ...atEnd] as const;
type CaptureCrash = (typeof ofSnapshot)[number] | (typeof ofChanges)[number];

test(`a capture that is killed on its way loses and doubles nothing (KILLS_SEED=${seed})`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-kills-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "test"), { recursive: true });
  await createCapturedTables(client);
  const random = seededRandom(seed);
  const change = () => changeCapturedTables(client, random);
  const datasets = capturedTables.map((source) => ({ source }));
  const expectSame = async () => {
    for (const table of capturedTables) {
      const { rows } = await client.query({ text: `SELECT * FROM ${table}`, rowMode: "array" });
      const found = await withDuckdb(async (duck) => {
        await duck.run(`ATTACH ${literal(join(folder, "test", "main.duckdb"))} AS w (READ_ONLY)`);
        return (await duck.runAndReadAll(`SELECT * FROM w."default".${table}`)).getRowsJson();
      });
      const texts = (all: unknown[][]) => all.map((row) => JSON.stringify(row)).sort();
      assert.deepEqual(texts(found), texts(rows), table);
    }
  };
  for (const at of [someOf(ofSnapshot, 3), someOf(ofChanges, 3), []] satisfies (readonly CaptureCrash[])[]) {
    await change();
    const request = captureRequest(connection, datasets);
    const { killed, result } = await requestThroughCrashes<unknown, CaptureCrash>(
      { folder, at, between: change },
      (engine) => engine.request("capture", request),
    );
    assert.deepEqual(killed, at);
    assert.ok(result);
    // The last attempt began after the last change.
    await expectSame();
  }
  const { rows } = await client.query("SELECT slot_name, active FROM pg_replication_slots");
  assert.deepEqual(rows, [{ slot_name: "lakehelm_shop", active: false }]);
});
