import type { DatasetDescription } from "../../../protocol/transfer.ts";

/** The value of a partition whose column is NULL, as Hive, Spark and DuckDB write it. */
const nullPartition = "__HIVE_DEFAULT_PARTITION__";

/** The origin of a partition column. */
export const partitionOrigin = "the name of the folder";

export interface Partition {
  readonly column: string;
  /** null stands for NULL. */
  readonly value: string | null;
}

/** The columns in the names of folders, `year=2026/month=01/orders.csv`, by their names in lower case. */
export function partitionsOf(name: string): ReadonlyMap<string, Partition> {
  const found = new Map<string, Partition>();
  for (const folder of name.split("/").slice(0, -1)) {
    const at = folder.indexOf("=");
    const column = decoded(folder.slice(0, at));
    if (at <= 0 || column === "" || /\p{C}/u.test(column)) continue;
    const value = decoded(folder.slice(at + 1));
    const isNull = value === nullPartition || value === "";
    found.set(column.toLowerCase(), { column, value: isNull ? null : value });
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As Spark and DuckDB infer them: `month=01` is a number. */
const shapes: readonly (readonly [type: string, shape: RegExp])[] = [
  ["BIGINT", /^-?\d{1,18}$/],
  ["DATE", /^\d{4}-\d\d-\d\d$/],
  ["TIMESTAMP", /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$/],
];

const isValid = (type: string, text: string) =>
  type === "BIGINT" || !Number.isNaN(Date.parse(type === "DATE" ? text : `${text.replace(" ", "T")}Z`));

/** The columns in the names of the files' folders, without those that the files have themselves. */
export function partitionColumns(
  names: Iterable<string>,
  own: DatasetDescription["columns"],
): DatasetDescription["columns"] {
  const taken = new Set(own.map(({ name }) => name.toLowerCase()));
  const values = new Map<string, { name: string; texts: Set<string> }>();
  for (const name of names) {
    for (const [key, { column, value }] of partitionsOf(name)) {
      if (taken.has(key)) continue;
      const known = values.getOrInsertComputed(key, () => ({ name: column, texts: new Set<string>() }));
      if (value !== null) known.texts.add(value);
    }
  }
  return [...values.values()].map(({ name, texts }) => {
    const fits = ([type, shape]: (typeof shapes)[number]) =>
      [...texts].every((text) => shape.test(text) && isValid(type, text));
    const type = texts.size === 0 ? "VARCHAR" : (shapes.find(fits)?.[0] ?? "VARCHAR");
    const wire = type === "VARCHAR" ? {} : { wire: "VARCHAR" };
    return { name, type, ...wire, origin: partitionOrigin, inferred: true, nullable: true };
  });
}
