import { databaseFields, field, readConfig } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import { connectionOfTarget, connectionPrefix } from "../../bundle.ts";
import { pythonString } from "../../text/python.ts";
import { featuresOf, type IngestionContext, type SourceCode, type SourceKind } from "../source-kind.ts";
import { watermarkCode } from "../watermark-code.ts";
import { writeCode } from "../write-code.ts";
import { type JdbcKind, sourceTable } from "./jdbc-kinds.ts";
import { jdbcReadCode } from "./jdbc-read-code.ts";
import { readPartitions } from "./partitions.ts";
import { remoteReadCode } from "./remote-read-code.ts";
import { connectionFiles, connectionName, type DatabaseLogin } from "./unity-connection.ts";

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
  (kind: JdbcKind, usualPort: number): SourceKind =>
  (config, tables, context) => {
    const named = typeof config.unity_connection === "string" && config.unity_connection !== "";
    const { values, problems } = readConfig(
      named ? { ...jdbcFields, host: jdbcFields.host.optional() } : jdbcFields,
      config,
      "connection.config",
      ["partition_bounds"],
    );
    const { schema, database, unity_connection: unityConnection } = values;
    if (
      kind.connection.type === "POSTGRESQL" &&
      String(config.capture ?? "query").toLowerCase() !== "query"
    ) {
      problems.push(
        `connection.config.capture: ${shown(String(config.capture))} is not available in generated code, which reads tables: leave it out, and give each dataset a watermark_column.`,
      );
    }
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

    const read = readPartitions(values.partition_columns, config.partition_bounds, tables);
    problems.push(...read.problems);
    const { partitions } = read;
    const divided = partitions.some(({ column }) => column !== null);
    const bounded = partitions.some(({ bounds }) => bounds !== null);
    const { watermarks, leavesOut } = featuresOf(tables);
    const features = {
      ...{ watermarks, leavesOut },
      partitions: divided ? { count: values.num_partitions, bounded } : null,
    };

    const remote = context.serverless && context.runtime === "databricks";
    const login = { ...values, host: values.host ?? "", port: values.port ?? usualPort };
    const ownConnection = `${connectionPrefix(context)}_${connectionName(context)}`;
    const connection = unityConnection ?? ownConnection;
    const created =
      remote && unityConnection === undefined ? connectionFiles(kind, login, context) : undefined;
    problems.push(...(created?.problems ?? []));
    if (!remote) {
      problems.push(...optionProblems(divided, values.options));
      if (unityConnection !== undefined)
        problems.push(
          "connection.config.unity_connection: only serverless compute on Databricks reads through a Unity Catalog connection. Remove it, or cluster_config.",
        );
    }

    const code = remote
      ? remoteReadCode(kind, connection, { ...features, database, fetchSize: values.fetch_size })
      : jdbcReadCode(connectionOptions(kind, login), features);
    const asks = watermarks || divided || remote;
    const watermark = watermarkCode(tables, context, newestWatermarkCode);
    return {
      imports: [
        ...(remote && divided ? ["import functools"] : []),
        ...(remote && (watermarks || divided)
          ? [`from datetime import datetime${watermarks ? ", timedelta" : ""}`, "from decimal import Decimal"]
          : []),
      ],
      datasets,
      ...(divided && {
        entries: partitions.map(({ column, bounds }) => ({
          partition_column: column,
          ...((bounded || remote) && { partition_bounds: bounds }),
        })),
      }),
      folder: null,
      problems,
      choices: [choiceOf(context, unityConnection !== undefined)],
      ...(created && { files: created.files }),
      ...(remote && {
        parameters: [
          {
            name: "connection",
            default: unityConnection ?? connectionOfTarget(connectionName(context)),
          },
        ],
      }),
      ...(remote && { secretsElsewhere: !code.includes("secret(") }),
      statements: watermark.statements,
      cells: [
        { title: "Source", code: asks ? `${code}\n\n\n${sourceNameCode(kind)}` : code },
        ...watermark.cells,
        { title: "Writing", code: writeCode(tables) },
      ],
    } satisfies SourceCode;
  };

function choiceOf({ serverless, runtime }: IngestionContext, named: boolean): string {
  if (runtime === "spark")
    return "Spark's JDBC reader reads the database: open-source Spark has no Unity Catalog connections.";
  if (!serverless) return "Spark's JDBC reader reads the database: the job has a cluster with JDBC drivers.";
  const which = named ? "the given" : "a";
  return `remote_query reads the database through ${which} Unity Catalog connection: the job runs on serverless compute, which takes no JDBC drivers.`;
}

const isHost = (host: string) => /^([\w.-]+|\[[0-9a-fA-F:.]+\]|\{\{secrets\/.*\}\})$/.test(host);

const jdbcFields = {
  ...databaseFields,
  host: databaseFields.host.refine((host) =>
    isHost(host) ? undefined : `${shown(host)} is not the name or address of a host`,
  ),
  /** By dataset or target: the column that divides the table into parts. */
  partition_columns: field.options(),
  /** An existing Unity Catalog connection, for serverless compute. */
  unity_connection: field
    .plainText()
    .refine((name) =>
      /^\w[\w-]{0,254}$/.test(name) ? undefined : `${shown(name)} is not the name of a connection`,
    )
    .optional(),
  num_partitions: field.integer(2, 1_000).default(8),
  fetch_size: field.integer(1, 1_000_000).default(10_000),
  options: databaseFields.options.refine((options) => {
    const reserved = Object.keys(options).filter((name) => reservedOptions.includes(name.toLowerCase()));
    return reserved.length > 0 ? `the connector sets ${reserved.join(" and ")} itself` : undefined;
  }),
};

function connectionOptions(
  kind: JdbcKind,
  {
    host,
    port,
    database,
    user,
    password,
    fetch_size,
    options,
  }: DatabaseLogin & { readonly database: string; readonly fetch_size: number },
): Readonly<Record<string, string>> {
  return {
    url: kind.url({ host, port, database }),
    driver: kind.driver,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    fetchsize: String(fetch_size),
    ...kind.options,
    ...options,
  };
}

/** Options of the reader that conflict with `partition_columns`. */
function optionProblems(divided: boolean, options: Readonly<Record<string, string>>): string[] {
  const own = Object.keys(options).filter((name) => partitionOptions.includes(name.toLowerCase()));
  return divided && own.length > 0
    ? [`connection.config.options: partition_columns sets ${own.join(" and ")} itself.`]
    : [];
}

const partitionOptions = ["partitioncolumn", "lowerbound", "upperbound", "numpartitions"];

/** Quotes names as the source does. Values of the request are never part of SQL text. */
const sourceNameCode = ({ quote }: JdbcKind) => {
  const [one, two] = [pythonString(quote), pythonString(quote + quote)];
  return `
def source_name(rows, wanted):
    """The name of a column in the SQL of the source."""
    name = next((name for name in rows.columns if name.lower() == wanted.lower()), None)
    if name is None:
        raise ValueError(f"there is no column {wanted} in the source")
    return ${one} + name.replace(${one}, ${two}) + ${one}
`.trim();
};

const newestWatermarkCode = `
def order_of(rows, name):
    return require_ordered(name, type_of(rows, name))


def newest_mark(table, rows):
    """The greatest watermark of the source. It is read before the rows: what is added in between is read again."""
    name = table["watermark"]
    kind = order_of(rows, name)
    newest = answer_to(f"SELECT MAX({source_name(rows, name)}) AS newest FROM {table['source']}")
    mark, endless = greatest_mark(newest.select(F.col(newest.columns[0]).cast(kind).alias(name)), name)
    if endless:  # the greatest of all does not say which one is below
        mark, endless = greatest_mark(rows, name)
        warn_of_endless(table, endless)
    return mark
`.trim();
