import { pythonConfig } from "../../connector/secret-references.ts";
import type { ReadFeatures } from "./read-features.ts";

/** Code that reads with Spark's JDBC reader, which pushes filters and columns down to the source. */
export function jdbcReadCode(
  options: Readonly<Record<string, string>>,
  { watermarks, leavesOut, partitions }: ReadFeatures,
): string {
  const drop = leavesOut ? `.drop(*table["left_out"])  # personal data never leaves the source` : "";
  const asks = watermarks || partitions;
  return [
    `CONNECTION = ${pythonConfig(options)}`,
    `
def source(table${partitions ? ", **more" : ""}):
    return spark.read.format("jdbc").options(**CONNECTION, dbtable=table${partitions ? ", **more" : ""})
`.trim(),
    ...(asks
      ? [
          `
def answer_to(query):
    """Runs a query in the database."""
    return source(f"({query}) answer").load()
`.trim(),
        ]
      : []),
    ...(partitions ? [partsCode(partitions.count, partitions.bounded)] : []),
    `
def source_rows(table${watermarks ? ", mark" : ""}):
    """${watermarks ? "The rows to read. The source filters rows and columns." : "All rows of the source."}"""
    rows = source(table["source"]${partitions ? ", **parts_of(table)" : ""}).load()${drop}
    return ${watermarks ? "since(rows, table, mark)" : "rows"}
`.trim(),
  ].join("\n\n\n");
}

/** Code that reads one table with several queries at the same time. */
const partsCode = (count: number, bounded: boolean) =>
  `
def parts_of(table):
    """Options for a read by ${count} queries at a time. The bounds only divide the rows: none is left out."""
    if not table["partition_column"]:
        return {}
    rows, wanted = source(table["source"]).load(), table["partition_column"].lower()
    column = source_name(rows, table["partition_column"])
    name = next(name for name in rows.columns if name.lower() == wanted)
${bounded ? `    edges = table["partition_bounds"]\n    if not edges:\n    ` : ""}    edges = answer_to(f"SELECT MIN({column}) AS low, MAX({column}) AS high FROM {table['source']}").first()
    if edges[0] is None:
        return {}  # there is nothing to divide
${
  bounded
    ? `    if isinstance(edges[0], str) and edges is not table["partition_bounds"]:
`
    : `    if isinstance(edges[0], str):
`
}        raise TypeError("the partition column is text: only numbers, dates and times can be divided")
    low, high = (str(edge) if ${bounded ? "isinstance(edge, str) or " : ""}hasattr(edge, "year") else str(int(edge)) for edge in edges)
    return {"partitionColumn": name, "lowerBound": low, "upperBound": high, "numPartitions": "${count}"}
`.trim();
