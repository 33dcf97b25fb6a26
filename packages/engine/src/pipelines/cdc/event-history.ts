import type { DuckDBConnection } from "@duckdb/node-api";
import { quote, sqlName } from "../../warehouse/names.ts";
import { columnList, countRows } from "../../warehouse/relation.ts";
import type { BoundCdc } from "../code/bound-step.ts";
import { ensureTable, event, greatestFirst, internalColumn, quotedList, sameKeys } from "./event-columns.ts";
import type { EventTables } from "./event-tables.ts";

/** The validity of a row. The end is NULL for the current row. */
export const [start, end] = ["__START_AT", "__END_AT"] as const;

/** This many events, with windows over all of them, fit into the smallest memory that a warehouse can have. */
const eventsPerPass = 250_000;

/** The sequence from which the versions of a changed key are computed again; NULL for all of them. */
const recomputedFrom = internalColumn("since");

/** Which versions of a key in `k` are computed again. */
export const isRecomputed = (sequence: string): string =>
  `(k.${recomputedFrom} IS NULL OR ${sequence} >= k.${recomputedFrom})`;

/**
 * SCD type 2: stores every event, and computes the versions of each changed key from its events into `after`; the keys go
 * into `touched`. A late event splits the version that it falls into and changes no earlier one, so the work grows with the
 * new events and not with the history.
 */
export async function eventHistory(
  connection: DuckDBConnection,
  flow: BoundCdc,
  target: string,
  tables: EventTables,
): Promise<void> {
  const { columns, sequence } = flow;
  const events = sqlName(tables("events"));
  const all = `${columnList(columns)}, ${event.sequence}, ${event.deleted}`;
  await ensureTable(connection, events, [
    ...columns.map(({ name, type }) => ({ quoted: quote(name), type })),
    { quoted: event.sequence, type: sequence.type },
    { quoted: event.deleted, type: "BOOLEAN" },
  ]);
  await connection.run(`CREATE OR REPLACE TEMP TABLE touched AS ${touched(flow, target)}`);
  await connection.run(`INSERT INTO ${events} BY NAME SELECT ${all} FROM events`);
  const affected = `${events} e JOIN touched k ON ${sameKeys(flow.keys, "k", "e")} AND ${isRecomputed(`e.${event.sequence}`)}`;
  const batches = Math.ceil((await countRows(connection, affected)) / eventsPerPass);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE after AS SELECT ${columnList(columns)}, ${event.sequence} AS ${quote(start)}, ${event.sequence} AS ${quote(end)} FROM ${events} WHERE false`,
  );
  for (let batch = 0; batch < batches; batch += 1) {
    const inBatch = batches === 1 ? "true" : `hash(${quotedList(flow.keys, "e.")}) % ${batches} = ${batch}`;
    await connection.run(
      `INSERT INTO after ${versions(flow, `SELECT e.* FROM ${affected} WHERE ${inBatch}`)}`,
    );
  }
}

/**
 * The last version that begins before all new events keeps its start. With IGNORE NULL UPDATES, a value may come from
 * before this version.
 */
function touched({ keys, definition }: BoundCdc, target: string): string {
  const key = quotedList(keys);
  const newEvents = `SELECT ${key}, min(${event.sequence}) AS ${recomputedFrom} FROM events GROUP BY ${key}`;
  if (definition.ignoreNullUpdates) return `SELECT * REPLACE (NULL AS ${recomputedFrom}) FROM (${newEvents})`;
  const begun = `SELECT ${quotedList(keys, "k.")}, max(t.${quote(start)}) AS ${recomputedFrom} FROM ${target} t
    JOIN (${newEvents}) k ON ${sameKeys(keys, "k", "t")} WHERE t.${quote(start)} < k.${recomputedFrom} GROUP BY ALL`;
  return `SELECT ${quotedList(keys, "c.")}, b.${recomputedFrom} FROM (${newEvents}) c LEFT JOIN (${begun}) b ON ${sameKeys(keys, "b", "c")}`;
}

const [life, begins, begun, ended, isLast] = ["life", "begins", "begun", "ended", "is_last"].map(
  internalColumn,
);

/** The versions of some keys, computed from all events that affect them. */
function versions(flow: BoundCdc, events: string): string {
  const { keys, columns, tracked, definition } = flow;
  const values = columns.filter(({ name }) => !keys.includes(name));
  const key = quotedList(keys);
  const inOrder = `PARTITION BY ${key} ORDER BY ${event.sequence}`;
  // If several events have the same sequence, one wins.
  const single = `SELECT * FROM (${events})
    QUALIFY row_number() OVER (PARTITION BY ${key}, ${event.sequence} ORDER BY ${event.deleted} DESC, ${greatestFirst(columns)}) = 1`;
  // A deletion starts a new life of the key: values from before it do not fill NULLs after it.
  const lives = `SELECT *, count(*) FILTER (WHERE ${event.deleted}) OVER (${inOrder}) AS ${life} FROM (${single})`;
  const filled = definition.ignoreNullUpdates
    ? values.map(
        ({ name }) =>
          `last_value(CASE WHEN NOT ${event.deleted} THEN ${quote(name)} END IGNORE NULLS) OVER (PARTITION BY ${key}, ${life} ORDER BY ${event.sequence} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ${quote(name)}`,
      )
    : values.map(({ name }) => quote(name));
  const effective = `SELECT ${[key, ...filled].join(", ")}, ${event.sequence}, ${event.deleted} FROM (${lives})`;
  const isSame = tracked
    .map(({ name }) => ` AND ${quote(name)} IS NOT DISTINCT FROM lag(${quote(name)}) OVER (${inOrder})`)
    .join("");
  // lag is NULL for the first event of a key, so the first event begins a version, as does one after a deletion.
  const continuesVersion = `NOT ${event.deleted} AND coalesce(NOT lag(${event.deleted}) OVER (${inOrder}), false)${isSame}`;
  const withStarts = `SELECT *, NOT (${continuesVersion}) AS ${begins} FROM (${effective})`;
  // A version ends with its last event: the next event of the key begins another version.
  const inVersions = `SELECT *, max(${event.sequence}) FILTER (WHERE ${begins}) OVER (${inOrder}) AS ${begun},
    lead(${event.sequence}) OVER (${inOrder}) AS ${ended}, coalesce(lead(${begins}) OVER (${inOrder}), true) AS ${isLast}
    FROM (${withStarts})`;
  return `SELECT ${columnList(columns)}, ${begun} AS ${quote(start)}, ${ended} AS ${quote(end)} FROM (${inVersions}) WHERE ${isLast} AND NOT ${event.deleted}`;
}
