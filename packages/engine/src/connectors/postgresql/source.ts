import type { Config } from "@lakehelm/contract/connections";
import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionFinding, DatasetDescription } from "../../protocol/transfer.ts";
import { checkThat, runChecks } from "../checks.ts";
import { readSourceSettings } from "../settings.ts";
import type { SourceContext } from "../source/context.ts";
import { findDataset } from "../source/dataset-lookup.ts";
import type { ConnectorSource, ReadRequest } from "../source/source.ts";
import {
  datasetName,
  describeDataset,
  describeTables,
  listTables,
  type PostgresSourceTable,
} from "./catalog.ts";
import { cancelSession, PostgresSession, sessionName } from "./session.ts";
import { type PostgresSettings, postgresFields, postgresSettings } from "./settings.ts";
import type { PostgresThreadInput } from "./source-thread.ts";

const thread = new URL("./source-thread.ts", import.meta.url);

/** Tables and views of PostgreSQL. Connects on first use. */
export async function openPostgresSource(
  config: Config,
  { signal }: Pick<SourceContext, "signal">,
): Promise<ConnectorSource> {
  return postgresSource(readSourceSettings(postgresFields, config, postgresSettings), signal);
}

export const postgresSource = (settings: PostgresSettings, signal: AbortSignal): ConnectorSource =>
  new PostgresSource(new PostgresSession(settings, signal));

class PostgresSource implements ConnectorSource {
  readonly #session: PostgresSession;
  readonly #described = new Map<string, PostgresSourceTable>();

  constructor(session: PostgresSession) {
    this.#session = session;
  }

  async check(datasets: readonly string[]): Promise<ConnectionFinding[]> {
    const { serverName, settings } = this.#session;
    return runChecks(
      checkThat(`can connect to ${serverName} as ${settings.user}`, () => this.#session.client()),
      datasets.map((dataset) => checkThat(`may read ${dataset}`, () => this.#describe(dataset))),
    );
  }

  async discover(): Promise<DatasetDescription[]> {
    const { schema, onlySchema } = this.#session.settings;
    const tables = (await listTables(this.#session)).filter(
      (table) => table.readable && (onlySchema === undefined || table.schema === onlySchema),
    );
    return (await describeTables(this.#session, tables)).map((table) => describeDataset(table, schema));
  }

  async describe(dataset: string): Promise<DatasetDescription> {
    return describeDataset(await this.#describe(dataset), this.#session.settings.schema);
  }

  async read({ dataset, columns, since, into, signal }: ReadRequest): Promise<void> {
    const { settings } = this.#session;
    const table = this.#described.get(dataset) ?? (await this.#describe(dataset));
    const name = sessionName(settings);
    // Closing the connection does not end a server process that waits for a lock.
    let cancelled: Promise<void> | undefined;
    const cancel = () => {
      cancelled = cancelSession(settings, name);
    };
    signal.addEventListener("abort", cancel);
    try {
      await into.fromThread(thread, {
        settings,
        sessionName: name,
        dataset,
        table: `${pg.escapeIdentifier(table.schema)}.${pg.escapeIdentifier(table.table)}`,
        where: since ? sinceCondition(table, since) : "",
        columns: columns.map((column) => columnInput(table, column.name)),
      } satisfies PostgresThreadInput);
    } finally {
      signal.removeEventListener("abort", cancel);
      await cancelled;
    }
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  async #describe(dataset: string): Promise<PostgresSourceTable> {
    const { settings, serverName } = this.#session;
    const tables = await listTables(this.#session);
    const names = tables.flatMap((table) => {
      const full = `${table.schema}.${table.table}`;
      return [...new Set([datasetName(table, settings.schema), full])].map((name) => ({ name, table }));
    });
    const { table } = findDataset(dataset, names, serverName);
    if (!table.readable) {
      throw new DataProblem(
        `${settings.user} may not read ${dataset} in ${serverName}: the SELECT privilege is missing.`,
      );
    }
    const [described] = await describeTables(this.#session, [table]);
    if (!described) throw new Error(`The columns of ${dataset} could not be read.`);
    this.#described.set(dataset, described);
    return described;
  }
}

function columnNamed(table: PostgresSourceTable, name: string) {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw new DataProblem(`${table.table} has no column "${name}".`);
  return column;
}

function columnInput(table: PostgresSourceTable, name: string): PostgresThreadInput["columns"][number] {
  const { decoding, typeId, modifier } = columnNamed(table, name);
  return {
    name,
    expression: decoding.expression(pg.escapeIdentifier(name)),
    skip: decoding.skip,
    typeId,
    modifier,
  };
}

/** Compares in the column's type, so that an index can be used. */
function sinceCondition(
  table: PostgresSourceTable,
  { column, value }: NonNullable<ReadRequest["since"]>,
): string {
  const { origin, nullable } = columnNamed(table, column);
  const name = pg.escapeIdentifier(column);
  // DuckDB writes years before year 1 with "(BC)".
  const text = value.replace(/ \(BC\)/, " BC");
  const since = `${name} >= ${pg.escapeLiteral(text)}::${origin}`;
  // A row without a value has no position in the order, so it is read every time.
  return nullable ? ` WHERE ${since} OR ${name} IS NULL` : ` WHERE ${since}`;
}
