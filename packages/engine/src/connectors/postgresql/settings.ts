import { type ConfigValues, databaseFields, field } from "@lakehelm/contract/connections";
import type pg from "pg";

/** How to reach a PostgreSQL. It goes to threads, so it is plain values; it holds the password, so it goes nowhere else. */
export interface PostgresSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** The only one that is looked at; undefined: all are. */
  readonly onlySchema: string | undefined;
  /** Where tables are whose names have no schema. */
  readonly schema: string;
  readonly options: Readonly<Record<string, string>>;
}

const sslModes = ["disable", "require", "verify-ca", "verify-full"];

export const postgresFields = {
  ...databaseFields,
  port: databaseFields.port.default(5432),
  user: field.text(),
  options: databaseFields.options.refine(optionProblem),
};

function optionProblem(options: Readonly<Record<string, string>>): string | undefined {
  const { sslmode } = options;
  const problems = Object.keys(options)
    .filter((name) => !/^[a-z_][\w.]*$/i.test(name))
    .map((name) => `${JSON.stringify(name)} cannot be the name of an option`);
  if (sslmode !== undefined && !sslModes.includes(sslmode)) {
    problems.push(`sslmode: ${JSON.stringify(sslmode)} is not one of ${sslModes.join(", ")}`);
  }
  return problems.length > 0 ? problems.join("; ") : undefined;
}

export const postgresSettings = (values: ConfigValues<typeof postgresFields>): PostgresSettings => ({
  ...values,
  password: values.password,
  onlySchema: values.schema,
  schema: values.schema ?? "public",
});

/** As it is called in sentences. */
export const serverName = ({ database, host, port }: PostgresSettings): string =>
  `${database} at ${host}:${port}`;

/** Options that the driver is told; all others are settings of the session. */
const driverOptions = ["sslmode", "sslrootcert", "ssl", "connect_timeout", "application_name"];

export function clientConfig(settings: PostgresSettings, applicationName: string): pg.ClientConfig {
  const { host, port, database, user, options } = settings;
  const session = {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !driverOptions.includes(name))),
    // What we read and write as text does not depend on how the server is set up.
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
    // Without one the driver would look for one in the environment and the home folder of the server.
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
  // Only verify-full asks whether the certificate is of this host.
  return mode === "verify-ca" ? { ...ca, checkServerIdentity: () => undefined } : ca;
}
