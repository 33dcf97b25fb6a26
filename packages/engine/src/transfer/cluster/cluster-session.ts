import { randomUUID } from "node:crypto";
import {
  Channel,
  grpcCodes,
  isHandleLost,
  jsonRowsOf,
  RpcError,
  SparkError,
  SparkSession,
} from "@lakehelm/spark-connect";
import { connectSocket, EgressRefused } from "../../egress/index.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { ClusterAccess } from "../../protocol/transfer.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";

/** A session of a run on a Spark cluster. Errors are DataProblems. */
export interface ClusterSession {
  /** Runs a statement of the engine, and returns its rows as JSON. */
  rows(sql: string): Promise<unknown[][]>;
  /** Settings for the statements that follow. */
  configure(settings: Readonly<Record<string, string>>): Promise<void>;
  /** The columns of a table, by its quoted name, with Spark's types; undefined if there is no such table. */
  columnsOf(table: string): Promise<readonly { readonly name: string; readonly type: string }[] | undefined>;
  close(): Promise<void>;
}

const maxMessageBytes = 128 * 1024 * 1024;
const closeMs = 2_000;

/** Overrides the cluster's defaults. With CORRECTED, files have the same dates and times as their rows. */
const settings = {
  "spark.sql.session.timeZone": "UTC",
  "spark.sql.ansi.enabled": "true",
  "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
  "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
  "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
};

export async function openClusterSession(
  { host, port, tls, token }: ClusterAccess,
  { signal, egress }: Pick<RequestContext, "signal" | "egress">,
): Promise<ClusterSession> {
  const channel = new Channel({
    authority: `${host}:${port}`,
    tls,
    token,
    maxMessageBytes,
    connect: () => connectSocket(egress, { host, port, tls }),
  });
  const session = new SparkSession(channel, { id: randomUUID(), user: "lakehelm" });
  const explained = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw clusterProblem(error);
    }
  };
  const opened: ClusterSession = {
    rows: (sql) =>
      explained(async () => {
        const rows: unknown[][] = [];
        for await (const { arrow } of session.execute(sql, { signal })) rows.push(...jsonRowsOf(arrow));
        return rows;
      }),
    configure: (more) => explained(() => session.configure(more, { signal })),
    columnsOf: (table) =>
      explained(async () => {
        try {
          return await session.columnsOfTable(table, { signal });
        } catch (error) {
          if (isUnknownTable(error)) return undefined;
          throw error;
        }
      }),
    async close() {
      const limit = new Promise<void>((done) => setTimeout(done, closeMs).unref());
      await Promise.race([session.release().catch(() => {}), limit]);
      await channel.close();
    },
  };
  try {
    await opened.configure(settings);
    return opened;
  } catch (error) {
    await channel.close();
    throw error;
  }
}

const isUnknownTable = (error: unknown): boolean =>
  error instanceof SparkError && /^(?:TABLE_OR_VIEW|SCHEMA)_NOT_FOUND/.test(error.errorClass ?? "");

/** Another commit came first, or the server was restarted: the next attempt finds out what is in the table. */
const isTransient = (error: SparkError): boolean =>
  isHandleLost(error) ||
  /CONCURRENT|METADATA_CHANGED|PROTOCOL_CHANGED/.test(error.errorClass ?? "") ||
  /Concurrent\w*Exception/.test(error.message);

function clusterProblem(error: unknown): unknown {
  if (error instanceof SparkError) {
    const [first = ""] = error.message.replace(/^\[[A-Z][A-Z0-9_.]*\]\s*/, "").split("\n", 1);
    const sentence = `${first.replace(/[;.\s]+$/, "")}.${error.errorClass ? ` (${error.errorClass})` : ""}`;
    return new DataProblem(`The Spark cluster: ${sentence}`, { retryable: isTransient(error), cause: error });
  }
  if (!(error instanceof RpcError)) return error;
  if (error.cause instanceof EgressRefused) return new DataProblem(error.message, { cause: error });
  if (error.code === grpcCodes.unauthenticated) {
    const rest = "Check configuration.token of the environment.";
    return new DataProblem(`The Spark Connect server does not accept the token. ${rest}`, { cause: error });
  }
  const sentence = `The Spark cluster is not available: ${error.message}`;
  return new DataProblem(sentence, { retryable: true, cause: error });
}
