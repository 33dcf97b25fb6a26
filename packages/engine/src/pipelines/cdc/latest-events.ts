import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { quote, sqlName } from "../../warehouse/names.ts";
import { columnList } from "../../warehouse/relation.ts";
import type { BoundCdc } from "../code/bound-step.ts";
import { ensureTable, event, greatestFirst, internalColumn, quotedList, sameKeys } from "./event-columns.ts";
import type { EventTables } from "./event-tables.ts";

/** For each key, the sequence of the event that its row comes from, and of its last deletion. Deleted keys are kept. */
const [updatedAt, deletedAt] = [internalColumn("up"), internalColumn("down")];
const exists = internalColumn("is_there");
/** With IGNORE NULL UPDATES, each column has the sequence of the event that its value comes from. */
const valueSince = ({ name }: WarehouseColumn): string => internalColumn(`since_${name}`);

/**
 * SCD type 1: finds the winning row of each changed key into `after`, writes the keys into `touched`, and stores the state
 * of each key. The row in the target counts as one more event.
 */
export async function latestEvents(
  connection: DuckDBConnection,
  flow: BoundCdc,
  target: string,
  tables: EventTables,
): Promise<void> {
  const { keys, columns, sequence, definition } = flow;
  const values = columns.filter(({ name }) => !keys.includes(name));
  const tracked = definition.ignoreNullUpdates ? values : [];
  const key = quotedList(keys);
  const [latest, truncated] = [sqlName(tables("latest")), sqlName(tables("truncated"))];
  const sequenceColumn = (quoted: string) => ({ quoted, type: sequence.type });
  await ensureTable(connection, latest, [
    ...columns.flatMap(({ name, type }) => (keys.includes(name) ? [{ quoted: quote(name), type }] : [])),
    ...[updatedAt, deletedAt, ...tracked.map(valueSince)].map(sequenceColumn),
  ]);
  const isTruncated = await truncate(connection, flow, truncated);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE touched AS SELECT DISTINCT ${key} FROM events WHERE NOT ${event.truncated}
     ${isTruncated ? `UNION SELECT ${key} FROM ${latest}` : ""}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE before AS SELECT l.*, ${columnList(values, "t.")}${values.length > 0 ? "," : ""} t.${exists} IS NOT NULL AS ${exists}
     FROM ${latest} l SEMI JOIN touched k ON ${sameKeys(keys, "k", "l")} LEFT JOIN (SELECT true AS ${exists}, * FROM ${target}) t ON ${sameKeys(keys, "t", "l")}`,
  );
  const lastTruncation = definition.truncateWhen === null ? "NULL" : `(SELECT max(moment) FROM ${truncated})`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE downs AS SELECT ${key}, greatest(max(${deletedAt}), ${lastTruncation}) AS ${deletedAt} FROM (
       SELECT ${key}, CASE WHEN ${event.deleted} THEN ${event.sequence} END AS ${deletedAt} FROM events WHERE NOT ${event.truncated}
       UNION ALL SELECT ${key}, ${deletedAt} FROM before
     ) GROUP BY ${key}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE winners AS ${tracked.length > 0 ? byColumn(flow, tracked) : byRow(flow)}`,
  );
  await connection.run(`DELETE FROM ${latest} l USING touched k WHERE ${sameKeys(keys, "k", "l")}`);
  await connection.run(
    `INSERT INTO ${latest} BY NAME SELECT ${quotedList(keys, "d.")}, w.${updatedAt}, d.${deletedAt}${tracked.map((column) => `, w.${valueSince(column)}`).join("")}
     FROM downs d LEFT JOIN winners w ON ${sameKeys(keys, "w", "d")}`,
  );
  await connection.run(`CREATE OR REPLACE TEMP TABLE after AS SELECT ${columnList(columns)} FROM winners`);
}

/** Events after the last deletion, and the existing row as an event. */
function candidates({ keys, columns, definition }: BoundCdc): string {
  const values = columns.filter(({ name }) => !keys.includes(name));
  const tracked = definition.ignoreNullUpdates ? values : [];
  const ofEvent = tracked.map((column) => `, ${event.sequence} AS ${valueSince(column)}`).join("");
  const ofRow = tracked.map((column) => `, ${valueSince(column)}`).join("");
  return `SELECT c.*, d.${deletedAt} FROM (
      SELECT ${columnList(columns)}, ${event.sequence} AS ${updatedAt}${ofEvent} FROM events WHERE NOT ${event.deleted} AND NOT ${event.truncated}
      UNION ALL SELECT ${columnList(columns)}, ${updatedAt}${ofRow} FROM before WHERE ${exists}
    ) c JOIN downs d ON ${sameKeys(keys, "c", "d")} WHERE d.${deletedAt} IS NULL OR c.${updatedAt} > d.${deletedAt}`;
}

const byRow = (flow: BoundCdc): string =>
  `SELECT * FROM (${candidates(flow)})
   QUALIFY row_number() OVER (PARTITION BY ${quotedList(flow.keys)} ORDER BY ${updatedAt} DESC, ${greatestFirst(flow.columns)}) = 1`;

/** The newest value of each column that is not NULL. */
function byColumn(flow: BoundCdc, values: readonly WarehouseColumn[]): string {
  const key = quotedList(flow.keys);
  const newest = values.map(
    (column, at) =>
      `max({since: ${valueSince(column)}, value: ${quote(column.name)}}) FILTER (WHERE ${quote(column.name)} IS NOT NULL AND (${deletedAt} IS NULL OR ${valueSince(column)} > ${deletedAt})) AS ${internalColumn(`newest_${at}`)}`,
  );
  const chosen = values.map(
    (column, at) =>
      `${internalColumn(`newest_${at}`)}.value AS ${quote(column.name)}, ${internalColumn(`newest_${at}`)}.since AS ${valueSince(column)}`,
  );
  return `SELECT ${key}, ${updatedAt}, ${chosen.join(", ")} FROM (
    SELECT ${key}, max(${updatedAt}) AS ${updatedAt}, ${newest.join(", ")} FROM (${candidates(flow)}) GROUP BY ${key})`;
}

/** Stores the last truncation, and returns whether it is new. */
async function truncate(connection: DuckDBConnection, flow: BoundCdc, truncated: string): Promise<boolean> {
  if (flow.definition.truncateWhen === null) return false;
  await ensureTable(connection, truncated, [{ quoted: quote("moment"), type: flow.sequence.type }]);
  const { rowsChanged } = await connection.run(
    `INSERT INTO ${truncated} SELECT moment FROM (SELECT max(${event.sequence}) AS moment FROM events WHERE ${event.truncated})
     WHERE moment IS NOT NULL AND (moment <= (SELECT max(moment) FROM ${truncated})) IS NOT TRUE`,
  );
  return rowsChanged > 0;
}
