/** AUTO CDC: the result does not depend on the order of events, or on how they are split into updates. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { type SeededRandom, seededRandom } from "../testing/seeded-random.ts";
import { type CdcEvent, history, latest } from "./testing/cdc-model.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";

const source = "CREATE TABLE changes (id INT, op STRING, name STRING, city STRING, seq BIGINT)";
const flow = (table: string, nulls: string, rest: string) => `CREATE OR REFRESH STREAMING TABLE ${table};
  CREATE FLOW into_${table} AS AUTO CDC INTO ${table} FROM STREAM(changes) KEYS (id) ${nulls}
  APPLY AS DELETE WHEN op = 'D' ${rest.includes("TYPE 1") ? "APPLY AS TRUNCATE WHEN op = 'T'" : ""}
  SEQUENCE BY seq COLUMNS * EXCEPT (op, seq) STORED AS ${rest};`;
const nulls = "IGNORE NULL UPDATES";
/** A truncation has no key, so the history tables read a view without truncations. */
const code = `
  ${flow("latest", "", "SCD TYPE 1")} ${flow("latest_known", nulls, "SCD TYPE 1")}
  CREATE TEMPORARY VIEW kept AS SELECT * FROM STREAM(changes) WHERE op <> 'T';
  ${flow("history", "", "SCD TYPE 2 TRACK HISTORY ON (name)")} ${flow("history_known", nulls, "SCD TYPE 2")}`.replaceAll(
  /FROM STREAM\(changes\)(?= KEYS[^;]*TYPE 2)/g,
  "FROM STREAM(kept)",
);

const insert = (events: readonly CdcEvent[]): string => {
  const text = (value: string | null) => (value === null ? "NULL" : `'${value}'`);
  const rows = events.map(
    ({ id, op, name, city, seq }) => `(${id}, '${op}', ${text(name)}, ${text(city)}, ${seq})`,
  );
  return `INSERT INTO changes VALUES ${rows.join(", ")}`;
};

/** Few keys and few sequences, so that some events are late, repeated, or have the same sequence. */
const anyEvent = (random: SeededRandom): CdcEvent => ({
  id: random.below(4),
  op: random.below(25) === 0 ? "T" : random.below(5) === 0 ? "D" : "U",
  name: random.pick(["ada", "bob", null]),
  city: random.pick(["bonn", "rome", null]),
  seq: random.below(30),
});

suite("events in random order and random batches give the same rows as in sequence order", () => {
  for (const seed of someOf([11, 12, 13], 1)) {
    test(`seed ${seed}`, async (t) => {
      const random = seededRandom(seed * 7919);
      const harness = await openPipelineHarness(t);
      await harness.run(source);
      const all: CdcEvent[] = [];
      const batches = isNightly ? 8 : 4;
      for (let batch = 1; batch <= batches; batch += 1) {
        const events = Array.from({ length: 1 + random.below(9) }, () => anyEvent(random));
        await harness.run(insert(events));
        all.push(...events);
        if (random.below(4) === 0 && batch < batches) continue;
        await harness.update(code, random.below(6) === 0 ? { fullRefresh: "all" } : {});
        const message = JSON.stringify(all);
        const rows = (table: string) => harness.rows(`SELECT * FROM ${table}`);
        assert.deepEqual(await rows("latest"), latest(all, false), message);
        assert.deepEqual(await rows("latest_known"), latest(all, true), message);
        assert.deepEqual(await rows("history"), history(all, false, false), message);
        assert.deepEqual(await rows("history_known"), history(all, true, true), message);
      }
    });
  }
});

test("an update counts added, changed and removed rows, and records whether existing rows changed", async (t) => {
  const harness = await openPipelineHarness(t);
  const event = (id: number, op: CdcEvent["op"], name: string, seq: number): CdcEvent => ({
    id,
    op,
    name,
    city: null,
    seq,
  });
  await harness.run(source);
  const versions = "SELECT version, rewritten FROM shop._lakehelm.versions WHERE \"table\" = 'latest'";
  const update = async (...events: CdcEvent[]) => {
    await harness.run(insert(events));
    const [table] = (await harness.update(flow("latest", "", "SCD TYPE 1"))).tables;
    return [
      table?.rows_added,
      table?.rows_updated,
      table?.rows_removed,
      ...(await harness.internalRows(versions)),
    ];
  };
  assert.deepEqual(await update(event(1, "U", "ada", 1), event(2, "U", "bob", 1)), [2, 0, 0, "1 1"]);
  assert.deepEqual(await update(event(3, "U", "eve", 1)), [1, 0, 0, "2 1"]);
  assert.deepEqual(await update(event(1, "U", "ada", 2), event(3, "U", "old", 0)), [0, 0, 0, "2 1"]);
  assert.deepEqual(await update(event(1, "U", "adah", 3), event(2, "D", "", 2)), [0, 1, 1, "3 3"]);
  assert.deepEqual(
    await update(event(2, "U", "late", 1)),
    [0, 0, 0, "3 3"],
    "an event with a later sequence deleted the row",
  );
  assert.deepEqual(await harness.rows("SELECT id, name FROM latest"), ["1 adah", "3 eve"]);
});

test("an event without a sequence fails its table, and no event is applied", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run(
    `${source}; INSERT INTO changes VALUES (1, 'U', 'ada', NULL, 1), (2, 'U', 'bob', NULL, NULL)`,
  );
  const sentence = await harness.errorMessage(harness.update(flow("latest", "", "SCD TYPE 1")));
  assert.match(sentence, /1 row of shop\.sales\.changes has no value for SEQUENCE BY seq/);
  assert.match(await harness.errorMessage(harness.rows("SELECT * FROM latest")), /there is no table/);
});

test("new columns of the source are added to the tables, and column names never collide with internal ones", async (t) => {
  const harness = await openPipelineHarness(t);
  const all = code.replace("TRACK HISTORY ON (name)", "");
  await harness.run(`CREATE TABLE changes (id INT, op STRING, begins INT, is_there INT, seq BIGINT);
    INSERT INTO changes VALUES (1, 'U', 1, NULL, 1)`);
  await harness.update(all);
  await harness.run(`ALTER TABLE changes ADD COLUMN name STRING;
    INSERT INTO changes VALUES (1, 'U', NULL, 5, 2, 'ada'), (2, 'U', 1, 1, 1, NULL)`);
  await harness.update(all);
  const rows = (table: string, more = "") =>
    harness.rows(`SELECT id, begins, is_there, name${more} FROM ${table}`);
  assert.deepEqual(await rows("latest"), ["1  5 ada", "2 1 1 "]);
  assert.deepEqual(await rows("latest_known"), ["1 1 5 ada", "2 1 1 "]);
  assert.deepEqual(await rows("history", ", __END_AT"), ["1  5 ada ", "1 1   2", "2 1 1  "]);
  assert.deepEqual(await rows("history_known", ", __END_AT"), ["1 1   2", "1 1 5 ada ", "2 1 1  "]);
});
