import { shown } from "../text/display.ts";
import { columnNameProblem } from "./column-name.ts";
import { isMap } from "./config.ts";

/** The declared type of each column, in Spark's spelling: `decimal(12,2)`. */
export type ColumnTypes = Readonly<Record<string, string>>;

export interface DatasetTypes {
  readonly types: ColumnTypes;
  /** The columns that are declared for this dataset only. */
  readonly required: readonly string[];
}

export interface DeclaredColumns {
  /** The keys that are names of datasets or targets. */
  readonly tables: readonly string[];
  /** The types for a dataset, or for its target. */
  typesOf(dataset: string, target?: string): DatasetTypes;
  readonly problems: readonly string[];
}

const simpleTypes =
  /^(?:string|boolean|tinyint|smallint|int|integer|bigint|float|double|date|timestamp|timestamp_ntz|binary)$/;

/**
 * Reads `columns` of a files source: a map from a column to its type, for all datasets; or a map from a dataset or
 * target to a map from a column to its type. Types of a dataset take precedence.
 */
export function readDeclaredColumns(columns: unknown): DeclaredColumns {
  const field = "connection.config.columns";
  const problems: string[] = [];
  if (columns !== undefined && columns !== null && !isMap(columns)) {
    problems.push(
      `${field}: it must be a map from a column to its type, or from a dataset or target to such a map.`,
    );
  }
  const given = Object.entries(isMap(columns) ? columns : {});
  const shared = readTypes(Object.fromEntries(given.filter(([, value]) => !isMap(value))), field, problems);
  const byTable = new Map(
    given.flatMap(([name, value]) =>
      isMap(value) ? [[name, readTypes(value, `${field}.${shown(name)}`, problems)] as const] : [],
    ),
  );
  return {
    tables: [...byTable.keys()],
    typesOf(dataset, target = dataset) {
      const own = byTable.get(dataset) ?? byTable.get(target) ?? {};
      return { types: merged(shared, own), required: Object.keys(own) };
    },
    problems,
  };
}

/** Column names are case-insensitive. */
function merged(shared: ColumnTypes, own: ColumnTypes): ColumnTypes {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const others = Object.entries(shared).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...own };
}

function readTypes(
  columns: Readonly<Record<string, unknown>>,
  path: string,
  problems: string[],
): ColumnTypes {
  const names = new Set<string>();
  const entries = Object.entries(columns).map(([name, type]) => {
    const problem = columnNameProblem(name);
    if (problem) problems.push(`${path}: ${problem}`);
    if (names.has(name.toLowerCase())) problems.push(`${path}: ${shown(name)} is listed twice.`);
    names.add(name.toLowerCase());
    const read = typeof type === "string" ? readType(type) : undefined;
    if (read === undefined)
      problems.push(
        `${path}.${shown(name)}: expected a type such as string, bigint, double, date, timestamp or decimal(10,2).`,
      );
    return [name, read ?? "string"];
  });
  return Object.fromEntries(entries);
}

/** The type in Spark's spelling, or `undefined` if a single value in a file cannot have it. */
function readType(text: string): string | undefined {
  const type = text.toLowerCase().replaceAll(" ", "");
  if (simpleTypes.test(type)) return type === "integer" ? "int" : type;
  const [, precision, scale = "0"] = /^(?:decimal|numeric)\((\d{1,2})(?:,(\d{1,2}))?\)$/.exec(type) ?? [];
  if (precision === undefined || Number(precision) < 1 || Number(precision) > 38) return undefined;
  return Number(scale) <= Number(precision) ? `decimal(${Number(precision)},${Number(scale)})` : undefined;
}
