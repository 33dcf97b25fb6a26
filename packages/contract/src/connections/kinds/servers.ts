/** What the kinds of database servers have in common. */
import { type Config, isMap } from "../config.ts";
import { bracketed } from "../hosts.ts";
import type { Address, ConnectionKind } from "./kind.ts";

/** The address is unknown while the port is not a number. */
export const serverAddress =
  (usualPort: number): Address =>
  ({ host, port = usualPort }) => {
    const bare = typeof host === "string" ? bracketed(host) : host;
    const hasPort = typeof bare === "string" && bare !== "" && /^\d{1,5}$/.test(String(port));
    return [hasPort ? `${bare}:${port}` : bare];
  };

export const serverLineage =
  (
    scheme: string,
    usualPort: number,
    nameOf: (config: Config, table: string) => string = inSchema,
  ): ConnectionKind["lineage"] =>
  (config, table) =>
    typeof config.host === "string"
      ? {
          namespace: `${scheme}://${config.host}:${config.port ?? usualPort}`,
          name: nameOf(config, table),
        }
      : { namespace: scheme, name: table };

/** `database.schema.table` */
function inSchema({ database, schema, options }: Config, table: string): string {
  if (table.includes(".")) return `${database}.${table}`;
  const named = schema ?? (isMap(options) ? options.schema : undefined);
  return `${database}.${named ?? "public"}.${table}`;
}
