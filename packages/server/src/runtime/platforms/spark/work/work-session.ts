import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DataProblem, type RequestOptions } from "@lakehelm/engine";
import {
  grpcCodes,
  isHandleLost,
  isNoTable,
  isSessionLost,
  jsonRowsOf,
  RpcError,
  type SparkColumn,
  SparkError,
  type SparkSession,
} from "@lakehelm/spark-connect";
import type { NameDefaults } from "@lakehelm/sql/pipelines";
import type { Cluster } from "../clusters.ts";
import { useDefaultNames } from "../default-names.ts";
import { callersError } from "../for-caller.ts";
import { derivedId } from "./derived-id.ts";

export interface WorkOptions extends Pick<RequestOptions, "onLogLine" | "onProgress"> {
  readonly signal: AbortSignal;
  /** How long to wait for a cluster that is away. */
  readonly waitMs?: number;
  /** The work keeps temporary views in its session: if the session is lost, all of it begins again. */
  readonly hasViews?: true;
}

/** A piece of work on a cluster: a run, or a task of one. Its sessions and operations have ids that follow from its key. */
export interface WorkSession {
  readonly key: string;
  /** Completes short names in the statements that follow; before that, the names of the environment do. */
  use(names: NameDefaults): void;
  /** The rows of a statement of ours that can be repeated. */
  rows(sql: string): Promise<unknown[][]>;
  /** The first value of the first row, as a number. */
  number(sql: string): Promise<number>;
  /** The columns of a query. Nothing runs. */
  columns(sql: string): Promise<SparkColumn[]>;
  /** The columns of a table; undefined if there is none. */
  tableColumns(name: string): Promise<SparkColumn[] | undefined>;
  /**
   * Executes a statement that must not be repeated once it is committed, with settings that no other statement has. `isDone`
   * looks into the table's history: after a lost server only the table knows.
   */
  once(
    step: string,
    sql: string,
    settings: Readonly<Record<string, string>>,
    isDone: () => Promise<boolean>,
  ): Promise<void>;
}

const defaultWaitMs = 15 * 60_000;
const longestPauseMs = 10_000;

/** Opens a session for a piece of work, and releases it at the end. Errors are those of the caller. */
export async function inWorkSession<Result>(
  cluster: Cluster,
  key: string,
  options: WorkOptions,
  work: (session: WorkSession) => Promise<Result>,
): Promise<Result> {
  for (let nth = 1; ; nth++) {
    const opened = createWorkSession(cluster, key, options);
    try {
      return await work(opened);
    } catch (error) {
      options.signal.throwIfAborted();
      const beginsAgain = options.hasViews && nth < mostBeginnings && (isSessionLost(error) || isAway(error));
      if (!beginsAgain) throw workError(error);
      options.onLogLine?.("warn", "The Spark cluster has lost the session: the work begins again.");
    } finally {
      await opened.close();
    }
  }
}

const mostBeginnings = 10;

/** The error for a run: retryable if the run can wait for the cluster. */
export function workError(error: unknown): unknown {
  if (isAway(error) || isHandleLost(error)) {
    const reason = error instanceof Error ? error.message : String(error);
    return new DataProblem(`The Spark cluster is not available: ${reason}`, {
      retryable: true,
      cause: error,
    });
  }
  if (
    error instanceof SparkError &&
    /CONCURRENT|DELTA_PROTOCOL_CHANGED|DELTA_METADATA_CHANGED/.test(error.errorClass ?? "")
  )
    return new DataProblem(firstLine(error.message), { retryable: true, cause: error });
  return callersError(error);
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

const isAway = (error: unknown): boolean => error instanceof RpcError && error.code === grpcCodes.unavailable;

const isAbandoned = (error: unknown): boolean =>
  error instanceof SparkError &&
  /^INVALID_HANDLE\.OPERATION_(?:ABANDONED|NOT_FOUND|ALREADY_EXISTS)$/.test(error.errorClass ?? "");

function createWorkSession(
  cluster: Cluster,
  key: string,
  { signal, onLogLine, hasViews, waitMs = defaultWaitMs }: WorkOptions,
): WorkSession & { close(): Promise<void> } {
  let id = derivedId(key);
  let opening: Promise<SparkSession> | undefined;
  let names: NameDefaults = cluster.configuration;
  /** Whether something was done in this session. */
  let wasUsed = false;

  async function open(id: string, settings?: Readonly<Record<string, string>>): Promise<SparkSession> {
    const session = await cluster.session(id, settings);
    await useDefaultNames(session, names, signal);
    return session;
  }

  function session(): Promise<SparkSession> {
    opening ??= open(id);
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  }

  /** Retries an attempt that can be repeated, in a new session if this one is lost. */
  async function whenThere<Result>(attempt: (session: SparkSession) => Promise<Result>): Promise<Result> {
    for (let nth = 0; ; nth++) {
      try {
        return await untilThere(async () => attempt(await session()));
      } catch (error) {
        // The server was restarted, or an earlier attempt has released this session.
        if (!isSessionLost(error) || nth > 5 || (hasViews && wasUsed)) throw error;
        id = randomUUID();
        opening = undefined;
      }
    }
  }

  /** Retries an attempt that can be repeated, until the cluster is there. */
  async function untilThere<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    for (let nth = 0; ; nth++) {
      try {
        const result = await attempt();
        wasUsed = true;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!isAway(error) || (hasViews && wasUsed) || performance.now() - started > waitMs) throw error;
        if (nth === 0) onLogLine?.("warn", `The Spark cluster is away, waiting: ${(error as Error).message}`);
        opening = undefined;
        await pause(Math.min(250 * 2 ** nth, longestPauseMs), undefined, { signal });
      }
    }
  }

  const read = async (current: SparkSession, sql: string, operationId?: string): Promise<unknown[][]> => {
    const rows: unknown[][] = [];
    const options = { signal, ...(operationId !== undefined && { operationId }) };
    for await (const { arrow } of current.execute(sql, options)) rows.push(...jsonRowsOf(arrow));
    return rows;
  };

  return {
    key,
    use(next) {
      if (next.catalog === names.catalog && next.schema === names.schema) return;
      names = next;
      opening = undefined;
    },
    rows: (sql) => whenThere((current) => read(current, sql)),
    async number(sql) {
      const [row] = await whenThere((current) => read(current, sql));
      return Number(row?.[0] ?? 0);
    },
    columns: (sql) => whenThere((current) => current.columnsOfQuery(sql, { signal })),
    async tableColumns(name) {
      try {
        return await whenThere((current) => current.columnsOfTable(name, { signal }));
      } catch (error) {
        if (isNoTable(error)) return undefined;
        throw error;
      }
    },
    async once(step, sql, settings, isDone) {
      // A separate session, because Delta reads the settings when it commits: an earlier attempt may still write other
      // rows, which must not get the mark of this one. The same statement has the same ids, so it is joined if it still
      // runs.
      let writer = derivedId(key, step, sql, JSON.stringify(settings));
      let operationId = derivedId(key, step);
      for (let nth = 0; ; nth++) {
        if (await isDone()) return;
        let current: SparkSession | undefined;
        try {
          current = await untilThere(() => open(writer, settings));
          await read(current, sql, operationId);
          return;
        } catch (error) {
          signal.throwIfAborted();
          if (!(isAway(error) || isSessionLost(error) || isAbandoned(error)) || nth > 20) throw error;
          // The table's history shows whether the statement was executed: it is checked first.
          operationId = randomUUID();
          writer = randomUUID();
        } finally {
          await current?.release().catch(() => undefined);
        }
      }
    },
    async close() {
      const current = await opening?.catch(() => undefined);
      await current?.release().catch(() => undefined);
    },
  };
}
