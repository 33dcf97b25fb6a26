import { type ConfigValues, databaseFields, readConfig } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import { pythonConfig } from "../../connector/secret-references.ts";
import { pythonString } from "../../text/python.ts";
import { featuresOf, type IngestedTable, type SourceCode, type SourceKind } from "../source-kind.ts";
import { watermarkCode } from "../watermark-code.ts";
import { writeCode } from "../write-code.ts";
import { type JdbcKind, sourceTable } from "./jdbc-kinds.ts";

/** Options of Spark's reader that the connector sets itself. */
const reservedOptions = [
  "url",
  "dbtable",
  "query",
  "preparequery",
  "sessioninitstatement",
  "user",
  "password",
  "driver",
];

export const jdbcSource =
  (kind: JdbcKind): SourceKind =>
  (config, tables, context) => {
    const { values, problems } = readConfig(jdbcFields, config, "connection.config");
    const { schema, database } = values;
    if (!database.includes("{{") && database !== "" && kind.databaseName?.test(database) === false) {
      problems.push(`connection.config.database: ${shown(database)} cannot be used in this database's URL.`);
    }

    const datasets = tables.map(({ source, field }) => {
      const named = hidden.test(source)
        ? { problem: "it contains an invisible character." }
        : sourceTable(source, schema, kind);
      if (typeof named === "string") return named;
      problems.push(`${field}: the source_dataset ${shown(source)} cannot be used: ${named.problem}`);
      return "";
    });

    const watermark = watermarkCode(tables, context, newestWatermarkCode(kind));
    return {
      imports: [],
      datasets,
      folder: null,
      problems,
      statements: watermark.statements,
      cells: [
        {
          title: "Source",
          code: `CONNECTION = ${pythonConfig(connectionOptions(kind, values))}\n\n\n${sourceRows(tables)}`,
        },
        ...watermark.cells,
        { title: "Writing", code: writeCode(tables) },
      ],
    } satisfies SourceCode;
  };

const isHost = (host: string) => /^([\w.-]+|\[[0-9a-fA-F:.]+\]|\{\{secrets\/.*\}\})$/.test(host);

const jdbcFields = {
  ...databaseFields,
  host: databaseFields.host.refine((host) =>
    isHost(host) ? undefined : `${shown(host)} is not the name or address of a host`,
  ),
  options: databaseFields.options.refine((options) => {
    const reserved = Object.keys(options).filter((name) => reservedOptions.includes(name.toLowerCase()));
    return reserved.length > 0 ? `the connector sets ${reserved.join(" and ")} itself` : undefined;
  }),
};

function connectionOptions(
  kind: JdbcKind,
  { host, port = kind.port, database, user, password, options }: ConfigValues<typeof jdbcFields>,
): Readonly<Record<string, string>> {
  return {
    url: kind.url({ host, port, database }),
    driver: kind.driver,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    fetchsize: "10000",
    ...kind.options,
    ...options,
  };
}

function sourceRows(tables: readonly IngestedTable[]): string {
  const { watermarks, leavesOut } = featuresOf(tables);
  const drop = leavesOut ? `.drop(*table["left_out"])  # personal data never leaves the source` : "";
  return `
def source(table):
    return spark.read.format("jdbc").options(**CONNECTION, dbtable=table)


def source_rows(table${watermarks ? ", mark" : ""}):
    """${watermarks ? "The rows to read. The source filters rows and columns." : "All rows of the source."}"""
    rows = source(table["source"]).load()${drop}
    return ${watermarks ? "since(rows, table, mark)" : "rows"}
`.trim();
}

/** Names are quoted for the source; values are never part of SQL text. */
const newestWatermarkCode = ({ quote }: JdbcKind) => {
  const [one, two] = [pythonString(quote), pythonString(quote + quote)];
  return `
def newest_mark(table, rows):
    """The greatest watermark of the source. It is read before the rows: what is added in between is read again."""
    kind = type_of(rows, table["watermark"])
    if isinstance(kind, StringType):
        raise TypeError("the watermark is text, which databases order in different ways")
    name = next(name for name in rows.columns if name.lower() == table["watermark"].lower())
    column = ${one} + name.replace(${one}, ${two}) + ${one}
    newest = source(f"(SELECT MAX({column}) AS newest FROM {table['source']}) newest_row").load()
    return newest.select(F.col(newest.columns[0]).cast(kind).cast("string")).first()[0]
`.trim();
};
