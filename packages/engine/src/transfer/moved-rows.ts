import { connectorRefreshCommand } from "@lakehelm/contract/changes";
import type { KeySelection } from "../connectors/source/source.ts";
import type { Reject } from "../protocol/transfer.ts";
import { rejectsTable } from "../warehouse/internal-tables.ts";
import { literal, quote } from "../warehouse/names.ts";
import { columnList, countRows, keyText, rowsChanged } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { castColumn } from "./column-cast.ts";
import { keepsOrder, readRows, sinceOf } from "./ingest-reading.ts";
import type { IngestRun } from "./ingest-run.ts";
import { addRejects, keyOfReject, pendingRejects } from "./rejects.ts";
import { placeColumn } from "./sink-table.ts";
import type { SourceKeys } from "./source-keys.ts";
import { createStage, stagedRows } from "./stage.ts";

/** The types whose values have the same text in every system. */
const textTypes =
  /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\(.*\)|VARCHAR|UUID|DATE|TIMESTAMP( WITH TIME ZONE)?)$/;

/** The most keys, and the most characters of keys, in one request to the source. */
const batchKeys = 5_000;
const batchCharacters = 1_000_000;

/** Temporary tables: the keys that the source has and the table lacks, and the rows that were read for them. */
const missingKeys = "missing_keys";
const movedRows = "incoming_moved";

interface MovedRows {
  readonly rows: number;
  readonly bytes: number;
  readonly rejected: number;
}

/**
 * Adds rows to the stage that the table lacks although the watermark is beyond them: their keys were changed at the
 * source, or the rows were added late, without a newer watermark. Rows that an earlier run has rejected are not added.
 */
export async function stageMovedRows(
  run: IngestRun,
  existing: string,
  sourceKeys: SourceKeys,
  context: RequestContext,
): Promise<MovedRows> {
  const { connection, columns, request } = run;
  const missing = sinceOf(run) ? await findMissingKeys(run, existing, sourceKeys.stage) : 0;
  if (missing === 0) return { rows: 0, bytes: 0, rejected: 0 };
  const { source } = request.dataset;
  context.log(
    "info",
    `reading ${missing} ${missing === 1 ? "row" : "rows"} of ${source} below the watermark whose keys the target lacks.`,
  );
  await createStage(connection, columns, { table: movedRows, keepsOrder: keepsOrder(run) });
  const read = await readMissing(run, context);
  const staged = `${columnList(columns)}${keepsOrder(run) ? `, ${placeColumn}` : ""}`;
  const rows = await rowsChanged(
    connection,
    `INSERT INTO ${stagedRows} (${staged}) SELECT ${staged} FROM ${movedRows} WHERE ${rowOf(typedKeys(run))} IN (SELECT ${rowOf(keyNames(run))} FROM ${missingKeys})`,
  );
  await connection.run(`DROP TABLE ${movedRows}`);
  const unread = missing - rows - read.rejected;
  if (unread > 0) {
    context.log(
      "info",
      `${unread} of them ${unread === 1 ? "is" : "are"} no longer there. If the next run says so again, read all rows: ${connectorRefreshCommand(request.connector)}`,
    );
  }
  return { ...read, rows };
}

const keyColumns = ({ columns, keys }: IngestRun) =>
  keys.flatMap((key) => columns.find(({ name }) => name === key) ?? []);
const typedKeys = (run: IngestRun): string[] => keyColumns(run).map((column) => castColumn(column));
/** Names that differ from the columns: the same names would hide those of an outer SELECT. */
const keyNames = (run: IngestRun): string[] => keyColumns(run).map((_, index) => `_lakehelm_key_${index}`);
const rowOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? "") : `row(${values.join(", ")})`;

async function findMissingKeys(run: IngestRun, existing: string, keyStage: string): Promise<number> {
  const { connection, keys, table, request } = run;
  const names = keyNames(run);
  const typed = typedKeys(run);
  const key = rowOf(names);
  const plain = keyColumns(run).map(({ name }) => quote(name));
  const rejected = `SELECT key FROM ${rejectsTable(table.catalog)} WHERE stream = ${literal(request.dataset.id)} AND key IS NOT NULL UNION ALL SELECT key FROM ${pendingRejects} WHERE key IS NOT NULL`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${missingKeys} AS SELECT DISTINCT ${names.join(", ")} FROM (SELECT ${typed.map((value, at) => `${value} AS ${names[at]}`).join(", ")}, ${keyText(keys)} AS _lakehelm_text FROM ${keyStage}) k
     WHERE ${names.map((name) => `${name} IS NOT NULL`).join(" AND ")}
       AND NOT EXISTS (SELECT 1 FROM ${existing} p WHERE ${plain.map((name, at) => `p.${name} = k.${names[at]}`).join(" AND ")})
       AND _lakehelm_text NOT IN (${rejected})
       AND ${key} NOT IN (SELECT ${rowOf(typed)} FROM ${stagedRows} WHERE ${typed.map((value) => `${value} IS NOT NULL`).join(" AND ")})`,
  );
  return countRows(connection, missingKeys);
}

/** Reads the missing rows by their keys if the source can, and otherwise among all rows. */
async function readMissing(run: IngestRun, context: RequestContext): Promise<Omit<MovedRows, "rows">> {
  const { columns, connection, keys, source } = run;
  const counts = { bytes: 0, rejected: 0 };
  const read = async (selection: KeySelection | undefined) => {
    const sink = await readRows(
      run,
      { table: movedRows, columns, since: undefined, keys: selection, keepsOrder: keepsOrder(run) },
      context,
    );
    const rejects = await ofMissingKeys(run, sink.rejects);
    await addRejects(connection, rejects, keys);
    counts.bytes += sink.bytes;
    counts.rejected += rejects.length;
  };
  const keyed = keyColumns(run);
  if (!source.readsByKeys?.(keyed) || !keyed.every(({ type }) => textTypes.test(type))) {
    await read(undefined);
    return counts;
  }
  for await (const values of keyBatches(run)) await read({ columns: keyed, values });
  return counts;
}

/** A source that reads all rows also reports rejects that are stored already. */
async function ofMissingKeys(run: IngestRun, rejects: readonly Reject[]): Promise<Reject[]> {
  const found: Reject[] = [];
  for (let at = 0; at < rejects.length; at += 500) {
    const batch = rejects
      .slice(at, at + 500)
      .map((reject) => ({ reject, key: keyOfReject(reject, run.keys) }));
    const values = batch.map(({ key }) => `(${literal(key ?? "")})`).join(", ");
    const missing = await run.connection.runAndReadAll(
      `SELECT key FROM (VALUES ${values}) v(key) WHERE key IN (SELECT ${keyText(keyNames(run))} FROM ${missingKeys})`,
    );
    const keys = new Set(missing.getRowsJson().map(([key]) => String(key)));
    found.push(...batch.filter(({ key }) => key !== null && keys.has(key)).map(({ reject }) => reject));
  }
  return found;
}

async function* keyBatches(run: IngestRun): AsyncGenerator<string[][]> {
  const texts = keyNames(run).map((name) => `CAST(${name} AS VARCHAR)`);
  for (let last = "-1"; ; ) {
    const read = await run.connection.runAndReadAll(
      `SELECT rowid, ${texts.join(", ")} FROM ${missingKeys} WHERE rowid > ${last} ORDER BY rowid LIMIT ${batchKeys}`,
    );
    const found = read.getRowsJson();
    if (found.length === 0) return;
    last = String(found.at(-1)?.[0]);
    let batch: string[][] = [];
    let characters = 0;
    for (const row of found) {
      const values = row.slice(1).map(String);
      batch.push(values);
      characters += values.reduce((sum, value) => sum + value.length, 0);
      if (characters < batchCharacters) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) yield batch;
  }
}
