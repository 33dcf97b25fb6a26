import { databaseFields } from "@lakehelm/contract/connections";
import mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import { readSourceSettings } from "../settings.ts";
import type { ConnectorConfig } from "../source/context.ts";

/** Where a MySQL or MariaDB listens and who comes. Plain values: a thread gets them too. */
export interface MysqlSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Where tables are looked for that are named without it. */
  readonly schema: string;
  readonly tls: (typeof tlsModes)[string];
  readonly connectTimeout: number;
  /** As drivers take it: TINYINT(1) is what BOOLEAN makes. */
  readonly tinyIntIsBoolean: boolean;
}

/** By the names that MySQL and MariaDB's driver give them. */
const tlsModes: Readonly<
  Record<string, { rejectUnauthorized: boolean; verifyIdentity: boolean } | undefined>
> = {
  disable: undefined,
  disabled: undefined,
  trust: { rejectUnauthorized: false, verifyIdentity: false },
  required: { rejectUnauthorized: false, verifyIdentity: false },
  "verify-ca": { rejectUnauthorized: true, verifyIdentity: false },
  "verify-full": { rejectUnauthorized: true, verifyIdentity: true },
  "verify-identity": { rejectUnauthorized: true, verifyIdentity: true },
};

const knownOptions = ["sslMode", "connectTimeout", "tinyInt1isBit"];

const fields = {
  ...databaseFields,
  port: databaseFields.port.default(3306),
  options: databaseFields.options.refine(optionProblem),
};

export const readMysqlSettings = (config: ConnectorConfig): MysqlSettings =>
  readSourceSettings(fields, config, ({ host, options, schema, ...values }) => ({
    ...values,
    user: values.user,
    password: values.password,
    host: host.replace(/^\[(.*)\]$/, "$1"),
    schema: schema ?? values.database,
    tls: tlsModes[tlsMode(options)],
    connectTimeout: Number(connectTimeout(options)),
    tinyIntIsBoolean: options.tinyInt1isBit !== "false",
  }));

const tlsMode = ({ sslMode = "disable" }: Readonly<Record<string, string>>) =>
  sslMode.toLowerCase().replace("_", "-");

const connectTimeout = (options: Readonly<Record<string, string>>) => options.connectTimeout ?? "10000";

function optionProblem(options: Readonly<Record<string, string>>): string | undefined {
  const problems = Object.keys(options)
    .filter((name) => !knownOptions.includes(name))
    .map((name) => `${JSON.stringify(name)} is not known. Expected ${knownOptions.join(", ")}`);
  if (!Object.hasOwn(tlsModes, tlsMode(options))) {
    problems.push(`sslMode: expected one of ${Object.keys(tlsModes).join(", ")}`);
  }
  if (!/^[1-9]\d{0,6}$/.test(connectTimeout(options))) problems.push("connectTimeout: expected milliseconds");
  return problems.length > 0 ? problems.join("; ") : undefined;
}

/** A session in UTC that understands quotes and dates in one way, whatever the server is set to. */
export const session = [
  "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES', net_write_timeout = 3600",
  "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
];

export const connectionOptions = ({
  host,
  port,
  database,
  user,
  password,
  tls,
  connectTimeout,
}: MysqlSettings) => ({
  host,
  port,
  database,
  ...(user !== undefined && { user }),
  ...(password !== undefined && { password }),
  ...(tls && { ssl: tls }),
  connectTimeout,
  charset: "utf8mb4",
});

export async function connectMysql(settings: MysqlSettings): Promise<mysql.Connection> {
  try {
    const connection = await mysql.createConnection(connectionOptions(settings));
    // What goes wrong between two queries is told by the next one.
    connection.on("error", () => {});
    for (const statement of session) await connection.query(statement);
    return connection;
  } catch (error) {
    throw mysqlProblem(settings, error);
  }
}

export const serverAddress = ({ host, port }: MysqlSettings): string => `${host}:${port}`;

const refused: Readonly<Record<string, (settings: MysqlSettings) => string>> = {
  ER_ACCESS_DENIED_ERROR: (settings) =>
    `${serverAddress(settings)} refuses the user ${settings.user ?? "(none)"}: the name or the password is wrong.`,
  ER_DBACCESS_DENIED_ERROR: ({ user, database }) => `The user ${user} may not use the database ${database}.`,
  ER_BAD_DB_ERROR: (settings) => `There is no database ${settings.database} at ${serverAddress(settings)}.`,
};

/** Of the way there, or of a server that has too much to do. */
const retryableCodes =
  /^(ECONN|ETIMEDOUT|EPIPE|EHOST|ENET|EAI_AGAIN|PROTOCOL_|ER_LOCK_|ER_CON_COUNT|ER_SERVER_SHUTDOWN|ER_TOO_MANY_USER|ER_QUERY_INTERRUPTED)/;

/** What the driver says, as a sentence about the server. */
export function mysqlProblem(settings: MysqlSettings, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || error instanceof DataProblem) return error;
  const code = String(error.code);
  const sentence = refused[code]?.(settings);
  if (sentence) return new DataProblem(sentence, { cause: error });
  if (/^(E[A-Z]+|PROTOCOL_CONNECTION_LOST)$/.test(code)) {
    return new DataProblem(`${serverAddress(settings)} cannot be reached: ${error.message || code}.`, {
      retryable: retryableCodes.test(code),
      cause: error,
    });
  }
  return new DataProblem(`${serverAddress(settings)} says: ${error.message}.`, {
    retryable: retryableCodes.test(code),
    cause: error,
  });
}
