import { type ConfigValues, databaseFields } from "@lakehelm/contract/connections";
import type { EgressRules } from "../../egress/egress.ts";

/** How to connect to a MySQL or MariaDB server. Plain values, because threads get them too. */
export interface MysqlSettings {
  readonly egress: EgressRules;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The database of tables that are named without one. */
  readonly schema: string;
  readonly tls: (typeof tlsModes)[string];
  readonly connectTimeout: number;
  /** Whether TINYINT(1) is read as BOOLEAN, as drivers do: MySQL declares a BOOLEAN column as TINYINT(1). */
  readonly tinyIntIsBoolean: boolean;
}

/** The names that MySQL and MariaDB's driver use. */
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

export const mysqlFields = {
  ...databaseFields,
  port: databaseFields.port.default(3306),
  options: databaseFields.options.refine(optionProblem),
};

export const mysqlSettings =
  (egress: EgressRules) =>
  ({ host, options, schema, ...values }: ConfigValues<typeof mysqlFields>): MysqlSettings => ({
    ...values,
    egress,
    user: values.user,
    password: values.password,
    host: host.replace(/^\[(.*)\]$/, "$1"),
    schema: schema ?? values.database,
    tls: tlsModes[tlsMode(options)],
    connectTimeout: Number(connectTimeout(options)),
    tinyIntIsBoolean: options.tinyInt1isBit !== "false",
  });

const tlsMode = ({ sslMode = "disable" }: Readonly<Record<string, string>>) =>
  sslMode.toLowerCase().replace("_", "-");

const connectTimeout = (options: Readonly<Record<string, string>>) => options.connectTimeout ?? "10000";

function optionProblem(options: Readonly<Record<string, string>>): string | undefined {
  const problems = Object.keys(options)
    .filter((name) => !knownOptions.includes(name))
    .map((name) => `${JSON.stringify(name)} is unknown. Expected ${knownOptions.join(", ")}`);
  if (!Object.hasOwn(tlsModes, tlsMode(options))) {
    problems.push(`sslMode: expected one of ${Object.keys(tlsModes).join(", ")}`);
  }
  if (!/^[1-9]\d{0,6}$/.test(connectTimeout(options))) problems.push("connectTimeout: expected milliseconds");
  return problems.length > 0 ? problems.join("; ") : undefined;
}

export const serverAddress = ({ host, port }: MysqlSettings): string => `${host}:${port}`;
