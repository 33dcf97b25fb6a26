import { type Config, columnNameProblem, isMap } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import type { IngestedTable } from "../source-kind.ts";

/** How a table is divided into parts that are read concurrently. */
export interface Partition {
  readonly column: string | null;
  /** The least and greatest value for dividing the rows; null: those of the column. */
  readonly bounds: readonly [string, string] | null;
}

/** Reads `partition_columns` and `partition_bounds`, which are maps by dataset or target. */
export function readPartitions(
  columns: Readonly<Record<string, string>>,
  bounds: unknown,
  tables: readonly IngestedTable[],
): { readonly partitions: readonly Partition[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const known = (name: string) => tables.some(({ source, target }) => name === source || name === target);
  for (const [name, column] of Object.entries(columns)) {
    if (!known(name))
      problems.push(`${columnsField}: ${shown(name)} is not a source_dataset or target_name.`);
    const problem = columnNameProblem(column);
    if (problem) problems.push(`${columnsField}: ${problem}`);
  }
  const given: Config = isMap(bounds) ? bounds : {};
  if (bounds !== undefined && bounds !== null && !isMap(bounds)) {
    problems.push(`${boundsField}: it must be a map from a dataset's or target's name to two values.`);
  }
  for (const name of Object.keys(given)) {
    if (!known(name)) problems.push(`${boundsField}: ${shown(name)} is not a source_dataset or target_name.`);
  }
  const partitions = tables.map(({ source, target }): Partition => {
    const column = own(columns, source) ?? own(columns, target) ?? null;
    const name = Object.hasOwn(given, source) ? source : target;
    const pair = own(given, name);
    if (pair === undefined) return { column, bounds: null };
    const read = readBounds(pair);
    if (read === undefined) {
      problems.push(
        `${boundsField}.${shown(name)}: expected two integers or two dates such as 2026-01-31, the smaller one first.`,
      );
    }
    if (column === null) problems.push(`${boundsField}.${shown(name)}: there is no partition column for it.`);
    return { column, bounds: read ?? null };
  });
  return { partitions, problems };
}

const columnsField = "connection.config.partition_columns";
const boundsField = "connection.config.partition_bounds";

const own = <Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

function readBounds(pair: unknown): readonly [string, string] | undefined {
  if (!Array.isArray(pair) || pair.length !== 2) return undefined;
  const [low, high] = pair.map((bound) =>
    typeof bound === "string" || typeof bound === "number" ? String(bound) : "",
  ) as [string, string];
  const [from, to] = [comparable(low), comparable(high)];
  if (from === undefined || to === undefined || typeof from !== typeof to || from >= to) return undefined;
  return [low.replace("T", " "), high.replace("T", " ")];
}

/** An integer, or the milliseconds of a date or time. */
function comparable(text: string): bigint | number | undefined {
  if (/^-?\d{1,18}$/.test(text)) return BigInt(text);
  if (!/^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d)?$/.test(text)) return undefined;
  const time = Date.parse(`${text.replace(" ", "T")}${text.length > 10 ? "Z" : ""}`);
  return Number.isNaN(time) ? undefined : time;
}
