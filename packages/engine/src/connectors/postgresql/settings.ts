import { type ConfigValues, databaseFields, field, logFields } from "@lakehelm/contract/connections";
import type pg from "pg";
import type { EgressRules } from "../../egress/egress.ts";

/** How to connect to PostgreSQL. Plain values, because threads get them too. They include the password. */
export interface PostgresSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** Only tables of this schema are listed; undefined for all schemas. */
  readonly onlySchema: string | undefined;
  /** The schema of tables that are named without one. */
  readonly schema: string;
  readonly options: Readonly<Record<string, string>>;
  readonly egress: EgressRules;
}

const sslModes = ["disable", "require", "verify-ca", "verify-full"];

export const postgresFields = {
  ...databaseFields,
  port: databaseFields.port.default(5432),
  user: field.text(),
  options: databaseFields.options.refine(optionProblem),
};

export const postgresSourceFields = { ...postgresFields, ...logFields };

function optionProblem(options: Readonly<Record<string, string>>): string | undefined {
  const { sslmode } = options;
  const problems = Object.keys(options)
    .filter((name) => !/^[a-z_][\w.]*$/i.test(name))
    .map((name) => `${JSON.stringify(name)} is not a valid option name`);
  if (sslmode !== undefined && !sslModes.includes(sslmode)) {
    problems.push(`sslmode: ${JSON.stringify(sslmode)} is not one of ${sslModes.join(", ")}`);
  }
  return problems.length > 0 ? problems.join("; ") : undefined;
}

export const postgresSettings =
  (egress: EgressRules) =>
  (values: ConfigValues<typeof postgresFields>): PostgresSettings => ({
    ...values,
    egress,
    password: values.password,
    onlySchema: values.schema,
    schema: values.schema ?? "public",
  });

/** For messages. */
export const serverName = ({ database, host, port }: PostgresSettings): string =>
  `${database} at ${host}:${port}`;

/** Options of the driver. All others are settings of the session. */
const driverOptions = ["sslmode", "sslrootcert", "ssl", "connect_timeout", "application_name"];

export function clientConfig(settings: PostgresSettings, applicationName: string): pg.ClientConfig {
  const { host, port, database, user, options } = settings;
  const session = {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !driverOptions.includes(name))),
    // Makes text independent of the server's configuration.
    TimeZone: "UTC",
    DateStyle: "ISO, YMD",
    IntervalStyle: "postgres",
    extra_float_digits: "3",
    bytea_output: "hex",
    client_encoding: "UTF8",
  };
  return {
    host,
    port,
    database,
    user,
    // Without a password, the driver would look for one in the server's environment and home folder.
    password: settings.password ?? "",
    application_name: applicationName,
    connectionTimeoutMillis: Number(options.connect_timeout ?? 10) * 1000,
    keepAlive: true,
    ssl: sslOf(options),
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, "\\$&")}`)
      .join(" "),
  };
}

function sslOf(options: PostgresSettings["options"]): NonNullable<pg.ClientConfig["ssl"]> {
  const mode = options.sslmode ?? (options.ssl === "true" ? "verify-full" : "disable");
  if (mode === "disable") return false;
  const ca = options.sslrootcert === undefined ? {} : { ca: options.sslrootcert };
  if (mode === "require") return { ...ca, rejectUnauthorized: options.sslrootcert !== undefined };
  // Only verify-full checks the host name in the certificate.
  return mode === "verify-ca" ? { ...ca, checkServerIdentity: () => undefined } : ca;
}
