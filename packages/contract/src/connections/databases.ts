import { byName, credential } from "./credentials.ts";
import { integer, oneOf, options, plainText, text } from "./fields.ts";

/** The config of a connection to a database server. */
export const databaseFields = {
  host: text(),
  port: integer(1, 65_535).optional(),
  database: text(),
  user: text().optional(),
  password: credential(text()).optional(),
  schema: text().optional(),
  options: credential(options(), byName),
};

/** How far the log may grow before a run warns, unless the connection sets a limit. */
const defaultWarnMb = 1024;

/** Additional fields of a PostgreSQL server whose log can be read. */
export const logFields = {
  /** `query` reads tables; `log` reads the changes that the server has logged. */
  capture: oneOf("query", "log").default("query"),
  warn_log_mb: integer(1, 1_000_000_000).default(defaultWarnMb),
  /** The names of the slot and the publication, if an administrator creates them before the first run. */
  replication_slot: plainText()
    .refine((name) =>
      /^[a-z0-9_]{1,63}$/.test(name) ? undefined : "it must have 1 to 63 characters of a to z, 0 to 9 and _",
    )
    .optional(),
  publication: plainText()
    .refine((name) =>
      name !== "" && new TextEncoder().encode(name).length <= 63 ? undefined : "it must have 1 to 63 bytes",
    )
    .optional(),
};
