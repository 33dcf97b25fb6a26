/** Kills the engine's process at every second crash point of a capture (at night at each) while the source changes. Afterwards the warehouse equals the source. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { captureRequest, startLogServer } from "../../testing/capture-harness.ts";
import { requestThroughCrashes } from "../../testing/crashing-transfer.ts";
import { withDuckdb } from "../../testing/duckdb.ts";
import { type SeededRandom, seededRandom } from "../../testing/seeded-random.ts";
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
  await client.query(`CREATE TABLE keyed (id int PRIMARY KEY, n int, body text);
    ALTER TABLE keyed ALTER body SET STORAGE EXTERNAL;
    CREATE TABLE bare (n int, note text); ALTER TABLE bare REPLICA IDENTITY FULL`);
  const random = seededRandom(seed);
  const datasets = [{ source: "keyed" }, { source: "bare" }];
  const expectSame = async () => {
    for (const table of ["keyed", "bare"]) {
      const { rows } = await client.query({ text: `SELECT * FROM ${table}`, rowMode: "array" });
      const found = await withDuckdb(async (duck) => {
        await duck.run(`ATTACH ${literal(join(folder, "test", "main.duckdb"))} AS w (READ_ONLY)`);
        return (await duck.runAndReadAll(`SELECT * FROM w."default".${table}`)).getRowsJson();
      });
      const texts = (all: unknown[][]) => all.map((row) => JSON.stringify(row)).sort();
      assert.deepEqual(texts(found), texts(rows), table);
    }
  };
  for (const at of [someOf(ofSnapshot, 5), someOf(ofChanges, 5), []] satisfies (readonly CaptureCrash[])[]) {
    await change(random);
    const request = captureRequest(connection, datasets);
    const { killed, result } = await requestThroughCrashes<unknown, CaptureCrash>(
      { folder, at, between: () => change(random) },
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

/** Several transactions, each of which changes some rows of both tables. */
async function change(random: SeededRandom): Promise<void> {
  for (let transaction = 0; transaction < 3; transaction++) {
    const id = random.below(40);
    const statements = [
      `INSERT INTO keyed VALUES (${id}, 0, repeat('${id}', 4000)) ON CONFLICT (id) DO UPDATE SET n = keyed.n + 1`,
      `UPDATE keyed SET n = n + 1 WHERE id % 3 = ${random.below(3)}`,
      `DELETE FROM keyed WHERE id = ${random.below(40)}`,
      `UPDATE keyed SET id = id + 1000 WHERE id = ${random.below(40)} AND NOT EXISTS (SELECT 1 FROM keyed WHERE id >= 1000)`,
      `UPDATE keyed SET id = id - 500 WHERE id >= 1000`,
      `INSERT INTO bare SELECT ${random.below(3)}, 'x' FROM generate_series(1, 2)`,
      `UPDATE bare SET n = n + 1 WHERE ctid IN (SELECT ctid FROM bare LIMIT 1)`,
      `DELETE FROM bare WHERE n = ${random.below(8)}`,
      ...(random.below(8) === 0 ? ["TRUNCATE bare"] : []),
    ];
    const chosen = random.shuffled(statements).slice(0, 5);
    await client.query(`DELETE FROM keyed WHERE id BETWEEN 500 AND 999; BEGIN; ${chosen.join("; ")}; COMMIT`);
  }
}
