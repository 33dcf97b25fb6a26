import { byName, credential } from "./credentials.ts";
import { integer, options, text } from "./fields.ts";

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
