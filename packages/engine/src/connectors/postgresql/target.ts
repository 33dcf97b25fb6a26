import type { Config } from "@lakehelm/contract/connections";
import { counted } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";
import { runChecks } from "../checks.ts";
import { readTargetSettings } from "../settings.ts";
import { requireUnreservedName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { schemaAndTable } from "../target/table-names.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { findTable, type PostgresTableName, quotedTable } from "./existing-table.ts";
import { PostgresSession } from "./session.ts";
import { postgresFields, postgresSettings } from "./settings.ts";
import { postgresSource } from "./source.ts";
import { PostgresTargetTable } from "./target-table.ts";

/** Tables of PostgreSQL as a target. Connects on first use. */
export async function openPostgresTarget(
  config: Config,
  { signal, egress }: Pick<TargetContext, "signal" | "egress">,
): Promise<ConnectorTarget> {
  const settings = readTargetSettings(postgresFields, { config }, postgresSettings(egress));
  const session = new PostgresSession(settings, signal);
  const tableNameOf = (name: string): PostgresTableName => {
    const tableName = schemaAndTable(name, settings.schema);
    requireUnreservedName(tableName.table);
    return tableName;
  };
  return {
    check: (names) =>
      runChecks(
        async () => {
          await session.client();
          return `can connect to ${session.serverName} as ${settings.user}`;
        },
        names.map((name) => () => checkTable(session, tableNameOf(name))),
      ),
    async discover() {
      const source = postgresSource(settings, signal);
      try {
        return await source.discover();
      } finally {
        await source.close();
      }
    },
    table: async (destination) =>
      new PostgresTargetTable(session, signal, destination, tableNameOf(destination.name)),
    close: () => session.close(),
  };
}

const privilegesQuery = `
SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1) AS has_schema,
  (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1) AS may_create,
  has_database_privilege(current_database(), 'CREATE') AS may_create_schema`;

async function checkTable(session: PostgresSession, tableName: PostgresTableName): Promise<string> {
  const name = `${tableName.schema}.${tableName.table}`;
  const action = `Checking ${name} of ${session.serverName}`;
  const { user } = session.settings;
  const existing = await findTable(session, tableName);
  if (existing) {
    const { rows } = await session.query<{ missing: string | null }>(
      action,
      `SELECT string_agg(r, ', ') AS missing FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) r
       WHERE NOT has_table_privilege($1, r)`,
      [quotedTable(existing)],
    );
    const missing = rows[0]?.missing;
    if (missing) throw new DataProblem(`${user} may not write ${name}. Missing privileges: ${missing}.`);
    return `may write ${name}, which has ${counted(existing.columns.length, "column")}`;
  }
  const { rows } = await session.query<{
    has_schema: boolean;
    may_create: boolean | null;
    may_create_schema: boolean;
  }>(action, privilegesQuery, [tableName.schema]);
  const privileges = rows[0];
  const mayCreate = privileges?.has_schema ? privileges.may_create : privileges?.may_create_schema;
  if (!mayCreate) throw new DataProblem(`${user} may not create ${name}. Missing privilege: CREATE.`);
  return `${name} will be created by the first run`;
}
