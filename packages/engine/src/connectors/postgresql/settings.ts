import type { ConfigReader } from "@lakehelm/contract/connections";
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

export const settingKeys = ["host", "port", "database", "user", "password", "schema", "options"];
const sslModes = ["disable", "require", "verify-ca", "verify-full"];

export function readPostgresSettings(reader: ConfigReader): PostgresSettings {
  const options = reader.options("options");
  const schema = reader.text("schema");
  const mode = options.sslmode;
  if (mode !== undefined && !sslModes.includes(mode)) {
    reader.problems.push(`options.sslmode: ${JSON.stringify(mode)} is not one of ${sslModes.join(", ")}.`);
  }
  const odd = Object.keys(options).find((name) => !/^[a-z_][\w.]*$/i.test(name));
  if (odd !== undefined) {
    reader.problems.push(`options: ${JSON.stringify(odd)} cannot be the name of an option.`);
  }
  return {
    host: reader.required("host"),
    port: reader.count("port", 1, 65_535) ?? 5432,
    database: reader.required("database"),
    user: reader.required("user"),
    password: reader.text("password"),
    onlySchema: schema,
    schema: schema ?? "public",
    options,
  };
}

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
