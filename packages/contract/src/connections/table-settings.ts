import { shown } from "../text/display.ts";
import { columnNameProblem } from "./column-name.ts";
import { type Config, isMap, isTextList } from "./config.ts";

export const writeStrategies = ["upsert", "append", "replace"] as const;
export type WriteStrategy = (typeof writeStrategies)[number];

/** An item of `table_configs`. The last three keys are extensions, which are not validated. */
interface TableConfig {
  readonly source_dataset: string;
  readonly target_name: string;
  readonly pii_suppressed: boolean;
  readonly watermark_column?: unknown;
  readonly primary_keys?: unknown;
  readonly write_strategy?: unknown;
}

/** One table of a connector, with every default applied. */
export interface TableSettings {
  readonly source: string;
  readonly target: string;
  readonly watermark: string | null;
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  /** Columns that are excluded because they have personal data. */
  readonly leftOut: readonly string[];
}

/** Whether the value of a column's tag `pii` marks the column as personal: any value except false does. */
export const isPersonalTag = (tag: string | undefined): boolean =>
  tag !== undefined && tag.toLowerCase() !== "false";

/**
 * Reads the items and completes them from the maps of the config. `path` is the config's name in problems. `tagged` has
 * the columns of each item that a catalog marks as personal; undefined if only the running code knows them.
 */
export function readTables(
  items: readonly TableConfig[],
  config: Config,
  path: string,
  tagged: readonly (readonly string[] | undefined)[] = items.map(() => []),
): { readonly tables: readonly TableSettings[]; readonly problems: readonly string[] } {
  const problems = [...mapProblems(config, path)];
  if (items.length === 0) problems.push("table_configs is empty: there is nothing to move.");
  const targets = new Map<string, number>();
  const tables = items.map((item, at) => {
    const read = readTable(item, config, path, tagged[at]);
    problems.push(...read.problems.map((problem) => `table_configs[${at}]: ${problem}`));
    const target = item.target_name.toLowerCase();
    const before = targets.get(target);
    if (before !== undefined) {
      problems.push(
        `table_configs[${at}]: the target ${shown(item.target_name)} is already used by table_configs[${before}].`,
      );
    } else targets.set(target, at);
    return read.settings;
  });
  return { tables, problems };
}

function readTable(
  item: TableConfig,
  config: Config,
  path: string,
  tagged: readonly string[] | undefined,
): { settings: TableSettings; problems: string[] } {
  const problems: string[] = [];
  const fromMap = (map: unknown) =>
    isMap(map) ? (entry(map, item.source_dataset) ?? entry(map, item.target_name)) : undefined;

  const keys = textListOf(item.primary_keys ?? fromMap(config.primary_keys));
  if (keys === undefined) problems.push("primary_keys must be a list of column names.");
  for (const [at, key] of (keys ?? []).entries()) {
    const problem = columnNameProblem(key);
    if (problem) problems.push(`primary_keys: ${problem}`);
    if (keys?.findIndex((other) => same(other, key)) !== at)
      problems.push(`primary_keys: ${shown(key)} is listed twice.`);
  }

  const strategy = item.write_strategy ?? (keys?.length ? "upsert" : "append");
  const knownStrategy = writeStrategies.find((known) => known === strategy);
  if (knownStrategy === undefined) {
    problems.push(`write_strategy must be one of ${writeStrategies.join(", ")}.`);
  }
  if (strategy === "upsert" && keys?.length === 0) {
    problems.push('write_strategy "upsert" requires primary_keys: they identify the row to replace.');
  }

  const ownWatermark = item.watermark_column ?? null;
  if (ownWatermark !== null && strategy === "replace") {
    problems.push('write_strategy "replace" reads everything in each run: remove watermark_column.');
  }
  const given = strategy === "replace" ? null : (ownWatermark ?? fromMap(config.watermark_columns) ?? null);
  if (given !== null && typeof given !== "string")
    problems.push("watermark_column must be the name of a column.");
  const watermark = typeof given === "string" ? given : null;
  const watermarkProblem = watermark === null ? undefined : columnNameProblem(watermark);
  if (watermarkProblem) problems.push(`watermark_column: ${watermarkProblem}`);

  const named = isTextList(config.pii_columns) ? config.pii_columns : [];
  const leftOut = item.pii_suppressed ? distinct([...named, ...(tagged ?? [])]) : [];
  if (item.pii_suppressed && leftOut.length === 0 && tagged !== undefined) {
    problems.push(
      `pii_suppressed is true, but no columns with personal data are known. List them in ${path}.pii_columns.`,
    );
  }
  for (const [column, role] of [
    ...(keys ?? []).map((key) => [key, "a primary key"]),
    [watermark, "the watermark"],
  ]) {
    if (column && leftOut.some((name) => same(name, column))) {
      problems.push(`${shown(column)} is ${role}, so it cannot be excluded as personal data.`);
    }
  }

  const settings: TableSettings = {
    source: item.source_dataset,
    target: item.target_name,
    watermark,
    keys: keys ?? [],
    strategy: knownStrategy ?? "append",
    leftOut,
  };
  return { settings, problems };
}

/** All tables of a connection share the maps, so each map is checked once. */
function* mapProblems(config: Config, path: string): Generator<string> {
  const { primary_keys: keys = null, watermark_columns: marks = null, pii_columns: personal = null } = config;
  if (keys !== null && !(isMap(keys) && Object.values(keys).every(isTextList))) {
    yield `${path}.primary_keys: it must be a map from a dataset's or target's name to a list of columns.`;
  }
  if (marks !== null && !(isMap(marks) && Object.values(marks).every((mark) => typeof mark === "string"))) {
    yield `${path}.watermark_columns: it must be a map from a dataset's name to a column.`;
  }
  if (personal !== null && !isTextList(personal)) {
    yield `${path}.pii_columns: it must be a list of column names.`;
  }
}

const entry = (map: Config, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);
/** Removes names that differ only in case from an earlier name. */
const distinct = (names: readonly string[]) =>
  [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed();
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** `undefined` if the value is not a list of strings. */
function textListOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  return isTextList(value) ? value : undefined;
}
