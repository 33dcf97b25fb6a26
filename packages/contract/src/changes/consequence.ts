/** How far a change of a definition goes: descriptions and schedules, more of the same, or something that rows depend on. */
export const changeKinds = ["metadata", "additive", "breaking"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What becomes of a table. */
export const changeEffects = [
  "none",
  "apply",
  "update",
  "add_columns",
  "drop_columns",
  "reload",
  "rebuild",
  "refuse",
  "create",
  "leave",
] as const;
export type ChangeEffect = (typeof changeEffects)[number];

/** What a change of a definition leads to, for one table. */
export interface Consequence {
  /** Full name of the table; null: the change is about no table. */
  readonly table: string | null;
  readonly kind: ChangeKind;
  readonly effect: ChangeEffect;
  readonly sentence: string;
  /** The command that does more than the next run does by itself; null: there is none. */
  readonly command: string | null;
}

export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
export const hasName = (names: readonly string[], one: string): boolean =>
  names.some((name) => sameName(name, one));
export const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !hasName(others, name));
/** The order of a key does not matter. */
export const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => hasName(others, name));

/** Whether two JSON values are the same. An absent key is the same as null. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null);
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) =>
    isSame(one[key], other[key]),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listed = (names: readonly string[]): string => names.join(", ") || "none";

/** An argument of a command, as a shell needs it. */
const argument = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A name in a command: in backticks if it would be read as several. */
const named = (name: string): string =>
  /^[^\s.`"=]+$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;

/** The command that gives columns of a table other types. `table`: the parts of its name. */
export const setTypeCommand = (table: readonly string[], types: Readonly<Record<string, string>>): string =>
  [
    `lakehelm tables alter ${argument(table.map(named).join("."))}`,
    ...Object.entries(types).map(([column, type]) => `--set-type ${argument(`${named(column)}=${type}`)}`),
    "--yes",
  ].join(" ");

/** The command that builds the table of a flow again. */
export const flowRefreshCommand = (flow: string, discardsHistory = false): string =>
  `lakehelm flows run ${argument(flow)} --set parameters.full_refresh=true${discardsHistory ? " --set parameters.discard_history=true" : ""}`;

/** The command that empties a table of a pipeline and reads its streams from the beginning. `table`: its full name. */
export const pipelineRefreshCommand = (pipeline: string, table: string): string =>
  `lakehelm pipelines run ${argument(pipeline)} --full-refresh-selection ${argument(table)}`;

/** The command that reads all rows of a connector again, or of some of its datasets. */
export const connectorRefreshCommand = (connector: string, dataset?: string): string =>
  `lakehelm connectors run ${argument(connector)} --set parameters.full_refresh=true${dataset === undefined ? "" : ` --set ${argument(`parameters.datasets=${JSON.stringify([dataset])}`)}`}`;
