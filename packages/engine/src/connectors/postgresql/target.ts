import { DataProblem } from "../../protocol/problem.ts";
import { readTargetSettings } from "../settings.ts";
import type { ConnectorConfig } from "../source/context.ts";
import { requireForeignName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { findings } from "../target/findings.ts";
import { schemaAndTable } from "../target/table-names.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { findTable, type PostgresTableName, quotedTable } from "./existing-table.ts";
import { PostgresSession } from "./session.ts";
import { postgresFields, postgresSettings } from "./settings.ts";
import { postgresSource } from "./source.ts";
import { PostgresTargetTable } from "./target-table.ts";

/** Tables of a PostgreSQL as a target. It connects when it is first asked something. */
export async function openPostgresTarget(
  config: ConnectorConfig,
  { signal }: Pick<TargetContext, "signal">,
): Promise<ConnectorTarget> {
  const settings = readTargetSettings(postgresFields, { config }, postgresSettings);
  const session = new PostgresSession(settings, signal);
  const placeOf = (name: string): PostgresTableName => {
    const place = schemaAndTable(name, settings.schema);
    requireForeignName(place.table);
    return place;
  };
  return {
    check: (names) =>
      findings(
        async () => {
          await session.client();
          return `can connect to ${session.place} as ${settings.user}`;
        },
        names,
        (name) => mayWrite(session, placeOf(name)),
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
      new PostgresTargetTable(session, signal, destination, placeOf(destination.name)),
    close: () => session.close(),
  };
}

const askRights = `
SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1) AS has_schema,
  (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1) AS may_create,
  has_database_privilege(current_database(), 'CREATE') AS may_create_schema`;

async function mayWrite(session: PostgresSession, place: PostgresTableName): Promise<string> {
  const name = `${place.schema}.${place.table}`;
  const doing = `Looking at ${name} in ${session.place}`;
  const { user } = session.settings;
  const kept = await findTable(session, place);
  if (kept) {
    const { rows } = await session.query<{ missing: string | null }>(
      doing,
      `SELECT string_agg(r, ', ') AS missing FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) r
       WHERE NOT has_table_privilege($1, r)`,
      [quotedTable(kept)],
    );
    const missing = rows[0]?.missing;
    if (missing) throw new DataProblem(`${user} may not write ${name}: the right to ${missing} is missing.`);
    return `may write ${name}, which has ${kept.columns.length} columns`;
  }
  const { rows } = await session.query<{
    has_schema: boolean;
    may_create: boolean | null;
    may_create_schema: boolean;
  }>(doing, askRights, [place.schema]);
  const rights = rows[0];
  const may = rights?.has_schema ? rights.may_create : rights?.may_create_schema;
  if (!may) throw new DataProblem(`${user} may not make ${name}: the right to CREATE is missing.`);
  return `${name} will be made by the first run`;
}
