import type mysql from "mysql2/promise";
import { type DefinedDataset, digest, mentioned } from "../source/definition.ts";

/** What the rows of a table or view depend on, as far as the catalog tells. */
interface TableDefinition {
  /** When each server created the table, or wrote it anew: replicas have different times. */
  readonly created: Readonly<Record<string, string>>;
  /** A hash of the view, of the views that it mentions, and of the user that reads it; null for a table. */
  readonly view: string | null;
  readonly columns: Readonly<Record<string, { readonly collation: string; readonly generated: string }>>;
}

/** Servers that are remembered: a run may reach another replica than the last run. */
const mostServers = 16;

export async function defineTable(
  connection: mysql.Connection,
  { schema, name }: { readonly schema: string; readonly name: string },
): Promise<DefinedDataset> {
  const query = async (sql: string) =>
    (await connection.query<mysql.RowDataPacket[]>(sql, [schema]))[0] as Readonly<Record<string, unknown>>[];
  const server = await serverId(connection);
  const tables = await query(
    "SELECT table_name AS t, CAST(create_time AS CHAR) AS created FROM information_schema.tables WHERE table_schema = ? AND table_type <> 'VIEW'",
  );
  const views = await query(
    "SELECT table_name AS t, view_definition AS definition, security_type AS security, definer AS definer FROM information_schema.views WHERE table_schema = ?",
  );
  const columns = await query(
    "SELECT table_name AS t, column_name AS name, collation_name AS collation, generation_expression AS expression FROM information_schema.columns WHERE table_schema = ?",
  );
  const definitions = new Map([
    ...tables.map(({ t, created }) => [String(t), `created ${created}`] as const),
    ...views.map(
      ({ t, definition, security, definer }) => [String(t), `${definition} ${security} ${definer}`] as const,
    ),
  ]);
  const own = definitions.get(name) ?? "";
  const isView = views.some(({ t }) => t === name);
  const [user] = isView ? await query("SELECT current_user() AS user") : [];
  const definition: TableDefinition = {
    created: { [server]: isView ? digest([...mentioned(own, definitions)]) : own },
    view: isView ? digest([own, ...viewsOf(own, definitions, views), user?.user]) : null,
    columns: Object.fromEntries(
      columns
        .filter(({ t }) => t === name)
        .map((row) => [
          String(row.name),
          { collation: String(row.collation ?? ""), generated: digest(row.expression ?? "") },
        ]),
    ),
  };
  return {
    definition: { ...definition },
    compare(stored, watermark) {
      const before = stored as unknown as TableDefinition;
      const reason = reasonOf(before, definition, server, watermark);
      return reason === undefined ? undefined : { reason };
    },
    merge: (before) => ({
      ...definition,
      created: Object.fromEntries(
        Object.entries({ ...(before as unknown as TableDefinition).created, ...definition.created }).slice(
          -mostServers,
        ),
      ),
    }),
  };
}

const viewsOf = (
  text: string,
  definitions: ReadonlyMap<string, string>,
  views: readonly Readonly<Record<string, unknown>>[],
): [string, string][] =>
  [...mentioned(text, definitions)].filter(([name]) => views.some(({ t }) => t === name));

function reasonOf(
  before: TableDefinition,
  now: TableDefinition,
  server: string,
  watermark: string | null,
): string | undefined {
  if (before.view !== now.view) return "its view has another definition, or is read by another user";
  const created = before.created[server];
  if (created === undefined) return "it is on another server than before";
  if (created !== now.created[server])
    return "the table was created again, truncated or written anew since the last run";
  const generated = Object.entries(before.columns).find(
    ([name, column]) => (now.columns[name] ?? column).generated !== column.generated,
  );
  if (generated) return `the generated column "${generated[0]}" has another expression`;
  if (watermark !== null && before.columns[watermark]?.collation !== now.columns[watermark]?.collation)
    return `the watermark "${watermark}" has another collation`;
  return undefined;
}

/** MySQL and MariaDB keep an id in the data folder; older versions of MariaDB have none. */
async function serverId(connection: mysql.Connection): Promise<string> {
  const [variables] = await connection.query<mysql.RowDataPacket[]>(
    "SHOW GLOBAL VARIABLES WHERE variable_name IN ('server_uuid', 'server_uid', 'hostname', 'port')",
  );
  const values = new Map(variables.map(({ Variable_name, Value }) => [String(Variable_name), String(Value)]));
  return (
    values.get("server_uuid") ?? values.get("server_uid") ?? `${values.get("hostname")}:${values.get("port")}`
  );
}
