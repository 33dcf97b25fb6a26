import { shown } from "../text/display.ts";
import { columnNameProblem } from "./column-name.ts";
import { type Config, isMap, isTextList } from "./config.ts";

const writeStrategies = ["upsert", "append", "replace"] as const;
export type WriteStrategy = (typeof writeStrategies)[number];

/** An item of `table_configs`, in either shape. Our extensions to the contract arrive unchecked. */
interface TableConfig {
  readonly source_dataset: string;
  readonly target_name: string;
  readonly pii_suppressed: boolean;
  readonly watermark_column?: unknown;
  readonly primary_keys?: unknown;
  readonly write_strategy?: unknown;
}

/** One table's way from source to target, settled. */
export interface TableSettings {
  readonly source: string;
  readonly target: string;
  readonly watermark: string | null;
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  /** Columns that are left out, because they hold personal data. */
  readonly leftOut: readonly string[];
}

/** What each item says, completed by the maps of the config. `where` is what sentences call the config. */
export function readTables(
  items: readonly TableConfig[],
  config: Config,
  where: string,
): { readonly tables: readonly TableSettings[]; readonly problems: readonly string[] } {
  const problems = [...mapProblems(config, where)];
  if (items.length === 0) problems.push("table_configs is empty: there is nothing to move.");
  const targets = new Map<string, number>();
  const tables = items.map((item, at) => {
    const read = readTable(item, config, where);
    problems.push(...read.problems.map((problem) => `table_configs[${at}]: ${problem}`));
    const target = item.target_name.toLowerCase();
    const before = targets.get(target);
    if (before !== undefined) {
      problems.push(
        `table_configs[${at}]: the target ${shown(item.target_name)} is that of table_configs[${before}] too.`,
      );
    } else targets.set(target, at);
    return read.settings;
  });
  return { tables, problems };
}

function readTable(
  item: TableConfig,
  config: Config,
  where: string,
): { settings: TableSettings; problems: string[] } {
  const problems: string[] = [];
  const named = (map: unknown) =>
    isMap(map) ? (entry(map, item.source_dataset) ?? entry(map, item.target_name)) : undefined;

  const keys = listOf(item.primary_keys ?? named(config.primary_keys));
  if (keys === undefined) problems.push("primary_keys must be a list of column names.");
  for (const [at, key] of (keys ?? []).entries()) {
    const problem = columnNameProblem(key);
    if (problem) problems.push(`primary_keys: ${problem}`);
    if (keys?.findIndex((other) => same(other, key)) !== at)
      problems.push(`primary_keys: ${shown(key)} is there twice.`);
  }

  const strategy = item.write_strategy ?? (keys?.length ? "upsert" : "append");
  const settledStrategy = writeStrategies.find((known) => known === strategy);
  if (settledStrategy === undefined) {
    problems.push(`write_strategy must be one of ${writeStrategies.join(", ")}.`);
  }
  if (strategy === "upsert" && keys?.length === 0) {
    problems.push('write_strategy "upsert" needs primary_keys: by them a row finds the one it replaces.');
  }

  const ownMark = item.watermark_column ?? null;
  if (ownMark !== null && strategy === "replace") {
    problems.push('write_strategy "replace" reads everything in each run: leave watermark_column out.');
  }
  const mark = strategy === "replace" ? null : (ownMark ?? named(config.watermark_columns) ?? null);
  if (mark !== null && typeof mark !== "string")
    problems.push("watermark_column must be the name of a column.");
  const watermark = typeof mark === "string" ? mark : null;
  const markProblem = watermark === null ? undefined : columnNameProblem(watermark);
  if (markProblem) problems.push(`watermark_column: ${markProblem}`);

  const personal = isTextList(config.pii_columns) ? config.pii_columns : [];
  const leftOut = item.pii_suppressed ? personal : [];
  if (item.pii_suppressed && personal.length === 0) {
    problems.push(
      `pii_suppressed is true, but nothing says which columns hold personal data. List them in ${where}.pii_columns.`,
    );
  }
  for (const [column, role] of [
    ...(keys ?? []).map((key) => [key, "a primary key"]),
    [watermark, "the watermark"],
  ]) {
    if (column && leftOut.some((name) => same(name, column))) {
      problems.push(`${shown(column)} is ${role}, so it cannot be left out as personal data.`);
    }
  }

  const settings: TableSettings = {
    source: item.source_dataset,
    target: item.target_name,
    watermark,
    keys: keys ?? [],
    strategy: settledStrategy ?? "append",
    leftOut,
  };
  return { settings, problems };
}

/** The maps are shared by all tables of a connection: each is checked once, as a whole. */
function* mapProblems(config: Config, where: string): Generator<string> {
  const { primary_keys: keys = null, watermark_columns: marks = null, pii_columns: personal = null } = config;
  if (keys !== null && !(isMap(keys) && Object.values(keys).every(isTextList))) {
    yield `${where}.primary_keys: it must be a map from a dataset's or target's name to a list of columns.`;
  }
  if (marks !== null && !(isMap(marks) && Object.values(marks).every((mark) => typeof mark === "string"))) {
    yield `${where}.watermark_columns: it must be a map from a dataset's name to a column.`;
  }
  if (personal !== null && !isTextList(personal)) {
    yield `${where}.pii_columns: it must be a list of column names.`;
  }
}

const entry = (map: Config, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** `undefined` for what is no list of texts. */
function listOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  return isTextList(value) ? value : undefined;
}
