import { randomBytes } from "node:crypto";
import type { Config } from "@lakehelm/contract/connections";
import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionFinding, DatasetDescription } from "../../protocol/transfer.ts";
import { checkThat, runChecks } from "../checks.ts";
import { readSourceSettings } from "../settings.ts";
import type { ChangeLog } from "../source/change-log.ts";
import type { SourceContext } from "../source/context.ts";
import { findDataset } from "../source/dataset-lookup.ts";
import type { DefinedDataset } from "../source/definition.ts";
import type { ConnectorSource, KeySelection, ReadRequest } from "../source/source.ts";
import {
  datasetName,
  describeDataset,
  describeTables,
  listTables,
  type PostgresSourceTable,
} from "./catalog.ts";
import { defineRelation } from "./relation-definition.ts";
import { PostgresChangeLog } from "./replication/change-log.ts";
import { cancelSession, PostgresSession, sessionName } from "./session.ts";
import { type PostgresSettings, postgresSettings, postgresSourceFields } from "./settings.ts";
import type { PostgresThreadInput } from "./source-thread.ts";
import { sourceOrder } from "./source-types.ts";

const thread = new URL("./source-thread.ts", import.meta.url);

/** Tables and views of PostgreSQL. Connects on first use. */
export async function openPostgresSource(
  config: Config,
  { signal, egress }: Pick<SourceContext, "signal" | "egress">,
): Promise<ConnectorSource> {
  const read = readSourceSettings(postgresSourceFields, config, (values) => ({
    settings: postgresSettings(egress)(values),
    capture:
      values.capture === "log"
        ? {
            warnBytes: values.warn_log_mb * 2 ** 20,
            slot: values.replication_slot,
            publication: values.publication,
          }
        : undefined,
  }));
  return new PostgresSource(new PostgresSession(read.settings, signal), read.capture);
}

export const postgresSource = (settings: PostgresSettings, signal: AbortSignal): ConnectorSource =>
  new PostgresSource(new PostgresSession(settings, signal), undefined);

/** Present if changes are read from the server's log. */
interface PostgresCapture {
  readonly warnBytes: number;
  readonly slot: string | undefined;
  readonly publication: string | undefined;
}

class PostgresSource implements ConnectorSource {
  readonly #session: PostgresSession;
  readonly #capture: PostgresCapture | undefined;
  readonly #described = new Map<string, PostgresSourceTable>();

  constructor(session: PostgresSession, capture: PostgresCapture | undefined) {
    this.#session = session;
    this.#capture = capture;
  }

  changeLog(connector: string): ChangeLog | undefined {
    return (
      this.#capture &&
      new PostgresChangeLog({
        session: this.#session,
        connector,
        describe: async (dataset) => this.#described.get(dataset) ?? this.#describe(dataset),
        ...this.#capture,
      })
    );
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
    const table = await this.#describe(dataset);
    const logged = this.#capture
      ? { ...table, columns: table.columns.filter(({ isGenerated }) => !isGenerated) }
      : table;
    return describeDataset(logged, this.#session.settings.schema);
  }

  async define(dataset: string, columns: readonly string[]): Promise<DefinedDataset> {
    const table = this.#described.get(dataset) ?? (await this.#describe(dataset));
    return defineRelation(this.#session, dataset, table, columns);
  }

  readsByKeys(): boolean {
    return true;
  }

  /** The server returns rows in no fixed order. */
  hasRowOrder(): boolean {
    return false;
  }

  async read({ dataset, columns, since, keys, into, signal, withPosition }: ReadRequest): Promise<void> {
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
        where: keys ? keyCondition(table, keys) : since ? sinceCondition(table, since) : "",
        slot: withPosition ? `lakehelm_snapshot_${randomBytes(8).toString("hex")}` : undefined,
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

/** Compares in the columns' types, so that an index can be used. Types that are read as text are compared as text. */
function keyCondition(table: PostgresSourceTable, { columns, values }: KeySelection): string {
  const compared = columns.map(({ name }, at) => {
    const { origin, base, decoding } = columnNamed(table, name);
    const quoted = pg.escapeIdentifier(name);
    const isText = decoding.type === "VARCHAR" && !decoding.isNumericText && !/char|text/.test(base);
    const texts = values.map((key) => pg.escapeLiteral((key[at] ?? "").replace(/ \(BC\)/, " BC")));
    return {
      value: isText ? `(${decoding.expression(quoted)})::text` : quoted,
      list: `ARRAY[${texts.join(", ")}]::${isText ? "text" : origin}[]`,
    };
  });
  const row = compared.map(({ value }) => value).join(", ");
  const lists = compared.map(({ list }) => list).join(", ");
  return ` WHERE (${row}) IN (SELECT * FROM unnest(${lists}))`;
}

/**
 * SQL: whether a value is less than every finite value of its type. A numeric is compared with the least number,
 * because it has no infinity before PostgreSQL 14.
 */
function isInfinite(name: string, base: string): string | undefined {
  if (base === "numeric") return `${name} < '-1e131071'`;
  return /^(date$|timestamp|real$|double precision$)/.test(base) ? `${name} = '-infinity'` : undefined;
}

/**
 * Compares in the column's type, so that an index can be used. Values that the warehouse stores as text are compared
 * byte by byte, as the warehouse compares them. Text is also compared in the column's own collation, because it is
 * unknown in which of the two orders its values grow.
 */
function sinceCondition(
  table: PostgresSourceTable,
  { column, value, before }: NonNullable<ReadRequest["since"]>,
): string {
  const found = columnNamed(table, column);
  const { origin, base, nullable, decoding } = found;
  const name = pg.escapeIdentifier(column);
  const infinite = isInfinite(name, base);
  const inOwnOrder = (operator: ">=" | "<", text: string) =>
    // DuckDB writes years before year 1 with "(BC)".
    `${name} ${operator} ${pg.escapeLiteral(text.replace(/ \(BC\)/, " BC"))}::${origin}`;
  const compared = (operator: ">=" | "<", text: string) =>
    decoding.type === "VARCHAR" && !decoding.isNumericText
      ? comparedText(decoding.expression(name), base, operator, text)
      : inOwnOrder(operator, text);
  if (before !== undefined) return ` WHERE ${compared(">=", value)} AND ${compared("<", before)}`;
  const conditions = [
    compared(">=", value),
    ...(sourceOrder(decoding, found) === "collation" ? [inOwnOrder(">=", value)] : []),
    // A row without a value has no position in the order, and -infinity is below every other. Both are read every time.
    ...(nullable ? [`${name} IS NULL`] : []),
    ...(infinite === undefined ? [] : [infinite]),
  ];
  return ` WHERE ${conditions.join(" OR ")}`;
}

/** The warehouse has the blanks that pad a `character(n)`. A cast to text would remove them on one side only. */
function comparedText(expression: string, base: string, operator: ">=" | "<", value: string): string {
  const type = /^(character\(|bpchar)/.test(base) ? "bpchar" : "text";
  return `(${expression})::${type} COLLATE "C" ${operator} ${pg.escapeLiteral(value)}::${type}`;
}
