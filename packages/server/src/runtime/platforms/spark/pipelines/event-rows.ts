import { quoteIdentifier } from "@lakehelm/sql/names";
import type { AutoCdcFlow } from "@lakehelm/sql/pipelines";
import type { TypedColumn } from "./table-content.ts";

/** The rows of a source as events, with three columns of ours. */
export interface EventContent {
  readonly query: string;
  readonly columns: readonly TypedColumn[];
  readonly keys: readonly string[];
  readonly tracked: readonly TypedColumn[];
  readonly sequenceType: string;
  /** The columns of the target; for type 2, with the validity of a row. */
  readonly targetColumns: readonly TypedColumn[];
}

export const [startAt, endAt] = ["__START_AT", "__END_AT"] as const;

/** The columns of an event that are ours. Authors' columns never have this prefix. */
export const internal = {
  sequence: "__lakehelm_sequence",
  deleted: "__lakehelm_deleted",
  truncated: "__lakehelm_truncated",
} as const;

const { sequence, deleted, truncated } = internal;
const quotedList = (names: readonly string[], prefix = ""): string =>
  names.map((name) => prefix + quoteIdentifier(name)).join(", ");

/** Whether two rows have the same values. NULL is a value too. */
export const sameValues = (names: readonly string[], one: string, other: string): string =>
  names.map((name) => `${one}.${quoteIdentifier(name)} <=> ${other}.${quoteIdentifier(name)}`).join(" AND ");

/**
 * The rows of all keys that new events are about, computed from all events. Of two events with the same key and sequence, a
 * deletion wins, otherwise the one with the greater columns. So the result does not depend on how events were split.
 */
export function finalRows(
  flow: AutoCdcFlow,
  content: EventContent,
  events: string,
  fresh: string,
): { readonly rows: string; readonly touched: string } {
  const { keys } = content;
  const key = quotedList(keys);
  // A truncation is about all keys.
  const touched =
    flow.truncateWhen === null
      ? `SELECT DISTINCT ${key} FROM (\n${fresh}\n)`
      : `SELECT DISTINCT ${key} FROM (\n${fresh}\n) WHERE NOT ${truncated}
UNION SELECT DISTINCT ${key} FROM ${events} WHERE EXISTS (SELECT 1 FROM (\n${fresh}\n) WHERE ${truncated})`;
  const affected = `SELECT e.* FROM ${events} AS e LEFT SEMI JOIN touched AS k ON ${sameValues(keys, "k", "e")} WHERE NOT e.${truncated}`;
  return {
    touched,
    rows: flow.scdType === 1 ? latest(flow, content, events, affected) : versions(flow, content, affected),
  };
}

/** If several rows have the same sequence, the first in this order wins. */
const greatestFirst = ({ columns }: EventContent): string =>
  columns
    .filter(({ type }) => !/MAP<|VARIANT|INTERVAL/.test(type))
    .map(({ name }) => `${quoteIdentifier(name)} DESC NULLS LAST`)
    .join(", ");

/** Type 1: the latest row of each key after its last deletion. */
function latest(flow: AutoCdcFlow, content: EventContent, events: string, affected: string): string {
  const { keys, columns } = content;
  const key = quotedList(keys);
  const truncation =
    flow.truncateWhen === null
      ? ""
      : ` AND (${sequence} > (SELECT max(${sequence}) FROM ${events} WHERE ${truncated}) OR (SELECT max(${sequence}) FROM ${events} WHERE ${truncated}) IS NULL)`;
  const downs = `SELECT *, max(CASE WHEN ${deleted} THEN ${sequence} END) OVER (PARTITION BY ${key}) AS __lakehelm_down FROM (\n${affected}\n)`;
  const alive = `SELECT * FROM (\n${downs}\n) WHERE NOT ${deleted} AND (__lakehelm_down IS NULL OR ${sequence} > __lakehelm_down)${truncation}`;
  if (flow.ignoreNullUpdates) {
    const values = columns
      .filter(({ name }) => !keys.includes(name))
      .map(({ name }) => {
        const column = quoteIdentifier(name);
        return `max(named_struct('s', ${sequence}, 'v', ${column})) FILTER (WHERE ${column} IS NOT NULL).v AS ${column}`;
      });
    return `SELECT ${[key, ...values].join(", ")} FROM (\n${alive}\n) GROUP BY ${key}`;
  }
  const ranked = `SELECT *, row_number() OVER (PARTITION BY ${key} ORDER BY ${sequence} DESC, ${greatestFirst(content)}) AS __lakehelm_rank FROM (\n${alive}\n)`;
  return `SELECT ${quotedList(columns.map(({ name }) => name))} FROM (\n${ranked}\n) WHERE __lakehelm_rank = 1`;
}

/** Type 2: the versions of each key, with their validity. */
function versions(flow: AutoCdcFlow, content: EventContent, affected: string): string {
  const { keys, columns, tracked } = content;
  const key = quotedList(keys);
  const inOrder = `PARTITION BY ${key} ORDER BY ${sequence}`;
  const single = `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY ${key}, ${sequence} ORDER BY ${deleted} DESC, ${greatestFirst(content)}) AS __lakehelm_rank FROM (\n${affected}\n)) WHERE __lakehelm_rank = 1`;
  // A deletion starts a new life of the key: values from before it do not fill NULLs after it.
  const lives = `SELECT *, count_if(${deleted}) OVER (${inOrder}) AS __lakehelm_life FROM (\n${single}\n)`;
  const filled = columns
    .filter(({ name }) => !keys.includes(name))
    .map(({ name }) => {
      const column = quoteIdentifier(name);
      return flow.ignoreNullUpdates
        ? `last_value(CASE WHEN NOT ${deleted} THEN ${column} END, true) OVER (PARTITION BY ${key}, __lakehelm_life ORDER BY ${sequence} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ${column}`
        : column;
    });
  const effective = `SELECT ${[key, ...filled, sequence, deleted].join(", ")} FROM (\n${lives}\n)`;
  const isSame = tracked
    .filter(({ type }) => !/MAP<|VARIANT/.test(type))
    .map(({ name }) => ` AND ${quoteIdentifier(name)} <=> lag(${quoteIdentifier(name)}) OVER (${inOrder})`)
    .join("");
  // lag is NULL for the first event of a key, so the first event begins a version, as does one after a deletion.
  const continues = `NOT ${deleted} AND coalesce(NOT lag(${deleted}) OVER (${inOrder}), false)${isSame}`;
  const withStarts = `SELECT *, NOT (${continues}) AS __lakehelm_begins FROM (\n${effective}\n)`;
  // A version ends with its last event: the next event of the key begins another version.
  const inVersions = `SELECT *, max(CASE WHEN __lakehelm_begins THEN ${sequence} END) OVER (${inOrder}) AS ${startAt},
lead(${sequence}) OVER (${inOrder}) AS ${endAt}, coalesce(lead(__lakehelm_begins) OVER (${inOrder}), true) AS __lakehelm_last FROM (\n${withStarts}\n)`;
  return `SELECT ${quotedList(columns.map(({ name }) => name))}, ${startAt}, ${endAt} FROM (\n${inVersions}\n) WHERE __lakehelm_last AND NOT ${deleted}`;
}
