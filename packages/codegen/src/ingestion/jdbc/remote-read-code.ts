import { pythonConfig } from "../../connector/secret-references.ts";
import { pythonString } from "../../text/python.ts";
import type { JdbcKind } from "./jdbc-kinds.ts";
import type { ReadFeatures } from "./read-features.ts";

/**
 * Code that reads through a Unity Catalog connection. `remote_query` may not push filters down, so its query contains
 * the conditions: the columns, the watermark and the part of the table.
 */
export function remoteReadCode(
  kind: JdbcKind,
  connection: string,
  {
    database,
    fetchSize,
    partitions,
    ...features
  }: ReadFeatures & { readonly database: string; readonly fetchSize: number },
): string {
  const { watermarks, leavesOut } = features;
  const setting = kind.connection.database;
  const fetch = kind.connection.fetches ? `, fetchSize => '${fetchSize}'` : "";
  return [
    `CONNECTION = parameter("connection", ${pythonString(connection)})\nDATABASE = ${pythonConfig(database)}`,
    literalCode,
    `
def answer_to(query):
    """Runs a query in the database."""
    return spark.sql(
        f"SELECT * FROM remote_query({literal(CONNECTION)}, ${setting} => {literal(DATABASE)},"
        f" query => {literal(query)}${fetch})"
    )
`.trim(),
    ...(watermarks || partitions ? [valueCode(kind)] : []),
    ...(partitions ? [rangesCode(partitions.count)] : []),
    rowsCode(watermarks, leavesOut, partitions !== null),
  ].join("\n\n\n");
}

const literalCode = String.raw`
def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("$", "\\u0024") + "'"
`.trim();

const valueCode = ({ connection }: JdbcKind) =>
  `
def source_value(value):
    """A number or a time in the SQL of the source."""
    if isinstance(value, datetime):
        return f"${connection.time[0]}'{value.isoformat(sep=' ', timespec='seconds')}'${connection.time[1]}"
    return format(value, "f")


def value_of(text):
    """A number, or a time to the second."""
    is_time = text[4:5] == "-" and text[7:8] == "-"
    return datetime.fromisoformat(text[:19]) if is_time else Decimal(text)
`.trim();

const rangesCode = (count: number) =>
  `
def ranges_of(table, columns):
    """Conditions for ${count} parts of the table, which are read at the same time. Together they have all rows."""
    if not table["partition_column"]:
        return []
    column = source_name(columns, table["partition_column"])
    edges = table["partition_bounds"]
    if not edges:
        query = f"SELECT MIN({column}) AS low, MAX({column}) AS high FROM {table['source']}"
        answer = answer_to(query)
        if any(kind == "string" for _, kind in answer.dtypes):
            raise TypeError("the partition column is text: only numbers, dates and times can be divided")
        edges = answer.select(*[F.col(name).cast("string") for name in answer.columns]).first()
    if edges[0] is None or edges[0] == edges[1]:
        return []  # there is nothing to divide
    low, high = (value_of(edge) for edge in edges)
    points = [source_value(low + (high - low) * part / ${count}) for part in range(1, ${count})]
    between = [f"{column} >= {one} AND {column} < {other}" for one, other in zip(points, points[1:])]
    return [f"({column} < {points[0]} OR {column} IS NULL)", *between, f"{column} >= {points[-1]}"]
`.trim();

const rowsCode = (watermarks: boolean, leavesOut: boolean, divided: boolean) => {
  const drop = leavesOut ? `.drop(*table["left_out"])  # personal data never leaves the source` : "";
  const conditions = watermarks || divided;
  return `
def source_rows(table${watermarks ? ", mark" : ""}):
    """${watermarks ? "The rows to read. The source filters rows and columns." : "All rows of the source."}"""
    columns = answer_to(f"SELECT * FROM {table['source']} WHERE 1 = 0")${drop}
    names = ", ".join(source_name(columns, name) for name in columns.columns)
    query = f"SELECT {names} FROM {table['source']}"
${
  watermarks
    ? `    conditions = []
    if mark is not None:
        # A day earlier, because the source may be in another time zone. since() is exact.
        least = value_of(mark)
        least = source_value(least - timedelta(days=1) if isinstance(least, datetime) else least)
        column = source_name(columns, table["watermark"])
        conditions.append(f"({column} >= {least} OR {column} IS NULL)")
`
    : conditions
      ? "    conditions = []\n"
      : ""
}${
  divided
    ? `    parts = [[*conditions, part] for part in ranges_of(table, columns)] or [conditions]
    parts = [answer_to(" WHERE ".join([query, *filter(None, [" AND ".join(part)])])) for part in parts]
    rows = functools.reduce(lambda one, other: one.union(other), parts)
`
    : conditions
      ? `    rows = answer_to(" WHERE ".join([query, *conditions]))
`
      : `    rows = answer_to(query)
`
}    return ${watermarks ? "since(rows, table, mark)" : "rows"}
`.trim();
};
