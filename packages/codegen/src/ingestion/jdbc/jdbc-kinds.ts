/** The address of a database, for its JDBC driver. */
interface JdbcAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** The details that differ between databases that are read by JDBC. */
export interface JdbcKind {
  /** Required, because Spark does not find drivers that were added with `--packages`. */
  readonly driver: string;
  readonly url: (address: JdbcAddress) => string;
  /** The maximum number of parts of a table's name. */
  readonly parts: 2 | 3;
  readonly quote: '"' | "`";
  /** The database reads names without quotes as upper case. */
  readonly upperCase?: true;
  /** Allowed database names, if the URL cannot escape others. */
  readonly databaseName?: RegExp;
  readonly options?: Readonly<Record<string, string>>;
  readonly connection: UnityConnectionKind;
}

/** The type of a Unity Catalog connection to a database. */
interface UnityConnectionKind {
  readonly type: "POSTGRESQL" | "MYSQL" | "SQLSERVER" | "ORACLE" | "SNOWFLAKE";
  /** The option of `remote_query` for the name of the database. */
  readonly database: "database" | "service_name";
  /** Whether `remote_query` takes a fetch size. */
  readonly fetches: boolean;
  /** The options of the connection, by their names in `connection.config.options`. */
  readonly options: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** The text before and after a time in the database's SQL. */
  readonly time: readonly [string, string];
}

const ansiTime = ["TIMESTAMP ", ""] as const;

const encoded = (text: string) =>
  text.startsWith("{{secrets/") ? text : encodeURIComponent(text).replaceAll("'", "%27");

const postgresql: JdbcKind = {
  driver: "org.postgresql.Driver",
  url: ({ host, port, database }) => `jdbc:postgresql://${host}:${port}/${encoded(database)}`,
  parts: 2,
  quote: '"',
  connection: {
    ...{ type: "POSTGRESQL", database: "database", fetches: true, time: ansiTime },
    options: { trustServerCertificate: "trustServerCertificate" },
  },
};

export const jdbcKinds: Readonly<Record<string, JdbcKind>> = {
  postgresql,
  // Databricks includes MariaDB's driver, which also works on other platforms.
  mysql: {
    driver: "org.mariadb.jdbc.Driver",
    url: ({ host, port, database }) => `jdbc:mysql://${host}:${port}/${encoded(database)}?permitMysqlScheme`,
    parts: 2,
    quote: "`",
    connection: {
      ...{ type: "MYSQL", database: "database", fetches: true, time: ansiTime },
      options: { trustServerCertificate: "trustServerCertificate" },
    },
  },
  sqlserver: {
    driver: "com.microsoft.sqlserver.jdbc.SQLServerDriver",
    url: ({ host, port, database }) => `jdbc:sqlserver://${host}:${port};databaseName=${database}`,
    parts: 3,
    quote: '"',
    databaseName: /^[^;{}=]+$/,
    connection: {
      ...{ type: "SQLSERVER", database: "database", fetches: true },
      options: {
        trustServerCertificate: "trustServerCertificate",
        applicationIntent: "applicationIntent",
      },
      time: ["CAST(", " AS datetime2)"],
    },
  },
  oracle: {
    driver: "oracle.jdbc.OracleDriver",
    url: ({ host, port, database }) => `jdbc:oracle:thin:@//${host}:${port}/${database}`,
    parts: 2,
    quote: '"',
    upperCase: true,
    databaseName: /^[\w.$#-]+$/,
    connection: {
      ...{ type: "ORACLE", database: "service_name", fetches: true, time: ansiTime },
      options: { encryption_protocol: "encryption_protocol" },
    },
  },
  // This uses JDBC, because Snowflake's own connector does not support every Spark version that the notebooks run on.
  snowflake: {
    driver: "net.snowflake.client.jdbc.SnowflakeDriver",
    url: ({ host, port, database }) => `jdbc:snowflake://${host}:${port}/?db=${encoded(database)}`,
    parts: 3,
    quote: '"',
    upperCase: true,
    // Watermarks are UTC, so their literals must be read as UTC. The default result format needs flags for Java 17.
    options: { TIMEZONE: "UTC", JDBC_QUERY_RESULT_FORMAT: "JSON" },
    connection: {
      ...{ type: "SNOWFLAKE", database: "database", fetches: false, time: ansiTime },
      options: { warehouse: "sfWarehouse", role: "sfRole", sfWarehouse: "sfWarehouse", sfRole: "sfRole" },
      required: ["sfWarehouse"],
    },
  },
};

/**
 * Longer than a name of three parts in any of these databases, and short enough for a pattern that takes quadratic
 * time.
 */
const longestName = 1_000;

/** The name of a table in the database's SQL (`schema.table`), with each part quoted. */
export function sourceTable(
  dataset: string,
  schema: string | undefined,
  kind: JdbcKind,
): string | { readonly problem: string } {
  const pattern = /"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[[^\]]+\]|[^".`[\]]+/gu;
  const parts = dataset.length > longestName ? [] : (dataset.match(pattern) ?? []);
  if (parts.length === 0 || parts.join(".") !== dataset || parts.length > kind.parts) {
    const expected =
      kind.parts === 3 ? "table, schema.table or database.schema.table" : "table or schema.table";
    return {
      problem: `it is not a table name. Expected ${expected}, with a part in double quotes if needed.`,
    };
  }
  const names = parts.map((part) => exactName(part, kind));
  if (names.length === 1 && schema !== undefined) names.unshift(exactName(schema, kind));
  const { quote } = kind;
  return names.map((name) => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`).join(".");
}

function exactName(part: string, { upperCase }: JdbcKind): string {
  const first = part[0];
  if (part.length > 2 && (first === '"' || first === "`")) {
    return part.slice(1, -1).replaceAll(first + first, first);
  }
  if (part.length > 2 && first === "[") return part.slice(1, -1);
  return upperCase && /^[A-Za-z][\w$#]*$/.test(part) ? part.toUpperCase() : part;
}
