import type { DuckDBConnection } from "@duckdb/node-api";
import { list } from "../../moving/relation.ts";
import { quote } from "../../warehouse/names.ts";
import type { BoundCdc } from "../code/bound.ts";
import type { Place } from "./apply-events.ts";
import { event, greatestFirst, holdTable, ours, quotedList, sameKeys } from "./event.ts";

/** From when on a row holds, and until when: NULL for the one that still does. */
export const [start, end] = ["__START_AT", "__END_AT"] as const;

/**
 * SCD type 2: keeps every event, and makes the versions of each key that something has come for from all of its events, into
 * `after`; the keys go into `touched`. So an event that comes late splits the version that it falls into.
 */
export async function eventHistory(
  connection: DuckDBConnection,
  flow: BoundCdc,
  place: Place,
): Promise<void> {
  const { keys, columns, sequence } = flow;
  const events = place("events");
  const all = `${list(columns)}, ${event.sequence}, ${event.deleted}`;
  await holdTable(connection, events, [
    ...columns.map(({ name, type }) => ({ quoted: quote(name), type })),
    { quoted: event.sequence, type: sequence.type },
    { quoted: event.deleted, type: "BOOLEAN" },
  ]);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE touched AS SELECT DISTINCT ${quotedList(keys)} FROM events`,
  );
  await connection.run(`INSERT INTO ${events} BY NAME SELECT ${all} FROM events`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE after AS ${versions(flow, events)}`);
}

const [life, begins, begun, ended, isLast] = ["life", "begins", "begun", "ended", "is_last"].map(ours);

function versions(flow: BoundCdc, events: string): string {
  const { keys, columns, tracked, feeding } = flow;
  const values = columns.filter(({ name }) => !keys.includes(name));
  const key = quotedList(keys);
  const inOrder = `PARTITION BY ${key} ORDER BY ${event.sequence}`;
  // Of several events with one sequence, one counts.
  const single = `SELECT * FROM ${events} e WHERE EXISTS (SELECT 1 FROM touched k WHERE ${sameKeys(keys, "k", "e")})
    QUALIFY row_number() OVER (PARTITION BY ${key}, ${event.sequence} ORDER BY ${event.deleted} DESC, ${greatestFirst(columns)}) = 1`;
  // A life begins with a deletion: neither that nor what was before it fills gaps after it.
  const lives = `SELECT *, count(*) FILTER (WHERE ${event.deleted}) OVER (${inOrder}) AS ${life} FROM (${single})`;
  const filled = feeding.ignoreNullUpdates
    ? values.map(
        ({ name }) =>
          `last_value(CASE WHEN NOT ${event.deleted} THEN ${quote(name)} END IGNORE NULLS) OVER (PARTITION BY ${key}, ${life} ORDER BY ${event.sequence} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ${quote(name)}`,
      )
    : values.map(({ name }) => quote(name));
  const effective = `SELECT ${[key, ...filled].join(", ")}, ${event.sequence}, ${event.deleted} FROM (${lives})`;
  const isSame = tracked
    .map(({ name }) => ` AND ${quote(name)} IS NOT DISTINCT FROM lag(${quote(name)}) OVER (${inOrder})`)
    .join("");
  // lag gives NULL for the first event of a key, and so the first begins a version like one after a deletion.
  const goesOn = `NOT ${event.deleted} AND coalesce(NOT lag(${event.deleted}) OVER (${inOrder}), false)${isSame}`;
  const marked = `SELECT *, NOT (${goesOn}) AS ${begins} FROM (${effective})`;
  // A version ends with its last event: what comes next in the order of the key begins another one.
  const inVersions = `SELECT *, max(${event.sequence}) FILTER (WHERE ${begins}) OVER (${inOrder}) AS ${begun},
    lead(${event.sequence}) OVER (${inOrder}) AS ${ended}, coalesce(lead(${begins}) OVER (${inOrder}), true) AS ${isLast}
    FROM (${marked})`;
  return `SELECT ${list(columns)}, ${begun} AS ${quote(start)}, ${ended} AS ${quote(end)} FROM (${inVersions}) WHERE ${isLast} AND NOT ${event.deleted}`;
}
