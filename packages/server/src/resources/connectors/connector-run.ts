import type { RunCause } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import {
  type CaptureLag,
  DataProblem,
  type Dataset,
  type Engine,
  type TransferResult,
} from "@lakehelm/engine";
import { createSemaphore } from "../../core/concurrency/semaphore.ts";
import { Problem } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { RunControl } from "../../runtime/jobs/executor.ts";
import { engineFor } from "../../runtime/jobs/named-commands.ts";
import { captureDatasets, endFormerCapture, type FailedDataset, readsLog } from "./capture-run.ts";
import { lineageOf } from "./connector-lineage.ts";
import type { ConnectorOperations } from "./operations.ts";
import { optionsOf, withOptions } from "./run-parameters.ts";
import { transferRequest } from "./transfer-request.ts";
import type { DatasetWatermark, WatermarkRecord } from "./watermark-record.ts";

/** Input and output of a connector run. */
export interface ConnectorRun {
  readonly connectorId: string;
  readonly runId: string;
  /** The parameters of the run say which datasets move, and from where. */
  readonly cause: Pick<RunCause, "parameters">;
  readonly context: () => ChangeContext;
  /** On the last attempt, a retryable error ends the run too. */
  readonly isLastAttempt: boolean;
  /** The error of the run, if its time limit has stopped it. */
  timeoutError?(): string | undefined;
  readonly signal: AbortSignal;
  line(level: "info" | "warn" | "error", text: string): void;
  progress(metrics: Readonly<Record<string, unknown>>): void;
  readonly lineage?: RunControl["lineage"];
}

interface DatasetResult {
  readonly target_name: string;
  readonly seconds: number;
  readonly result: TransferResult;
}

/**
 * Transfers the datasets, as many at once as the connector's policy says. A failed dataset does not stop the others; the
 * run then fails with every reason, and is retried if at least one error is retryable.
 */
export async function runConnector(
  {
    operations,
    watermarks,
    engine: anyEngine,
    clock,
  }: {
    readonly operations: Pick<ConnectorOperations, "ready">;
    readonly watermarks: WatermarkRecord;
    readonly engine: Pick<Engine, "request">;
    readonly clock: () => number;
  },
  run: ConnectorRun,
): Promise<Readonly<Record<string, unknown>>> {
  const { connectorId, runId, cause, signal } = run;
  const { env, connector, transfer, concurrency } = await operations
    .ready(connectorId, signal)
    .catch(async (error) => {
      if (!(error instanceof Problem) || error.kind !== "conflict") throw error;
      // A wrong declaration is a permanent error until someone changes it.
      await watermarks.record(connectorId, [], error.message, run.context());
      throw new DataProblem(error.message);
    });
  const engine = engineFor(anyEngine, { ...connector, environment: env.environment.name });
  if (transfer.datasets.length === 0) {
    await watermarks.record(connectorId, [], noDatasets, run.context());
    throw new DataProblem(noDatasets);
  }
  const options = optionsOf(connector, cause);
  if (Object.keys(cause.parameters ?? {}).length > 0)
    run.line("info", `Parameters: ${encodeJson(cause.parameters)}.`);
  const { chosen } = options;
  const datasets = transfer.datasets.filter(({ id }) => !chosen || chosen.has(id));
  run.lineage?.(lineageOf({ ...transfer, datasets }));
  const results = new Map<Dataset, DatasetResult>();
  /** The results, in the order of the datasets. */
  const done = () => datasets.flatMap((dataset) => results.get(dataset) ?? []);

  async function move(dataset: Dataset): Promise<FailedDataset | undefined> {
    const started = clock();
    const about = { connector: connectorId, run: runId, retryRejects: options.retryRejects };
    const request = withOptions(transferRequest(transfer, dataset, about), options);
    try {
      const result = await engine.request("transfer", request, {
        signal,
        onLogLine: (level, text) => run.line(level, `${dataset.target}: ${text}`),
        onProgress: (values) =>
          run.progress({ ...metricsOf(done()), moving: { target_name: dataset.target, ...values } }),
      });
      results.set(dataset, {
        target_name: dataset.target,
        seconds: Math.round(clock() - started) / 1000,
        result,
      });
      run.line("info", `${dataset.target}: ${summaryOf(result)}`);
      run.progress(metricsOf(done()));
      return undefined;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof Error)) throw error;
      // The run's own error is logged last: with a single dataset, it would appear twice.
      if (datasets.length > 1) run.line("error", `${dataset.target}: ${error.message}`);
      const retryable = error instanceof DataProblem && error.retryable;
      return { target_name: dataset.target, error, retryable };
    }
  }

  async function moveAll(): Promise<readonly FailedDataset[]> {
    const atOnce = createSemaphore(concurrency);
    const moved = await Promise.allSettled(datasets.map((dataset) => atOnce(signal, () => move(dataset))));
    return moved.flatMap((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value ?? [];
    });
  }

  let log: CaptureLag | null = null;

  /** All datasets are read from one log, so one request moves them. */
  async function moveByLog(): Promise<readonly FailedDataset[]> {
    const captured = await captureDatasets(engine, { transfer, datasets, options }, run);
    log = captured.log;
    for (const { dataset, seconds, result } of captured.moved) {
      results.set(dataset, { target_name: dataset.target, seconds, result });
      run.line("info", `${dataset.target}: ${summaryOf(result)}`);
    }
    for (const { target_name, error } of captured.failed) {
      if (datasets.length > 1) run.line("error", `${target_name}: ${error.message}`);
    }
    return captured.failed;
  }

  async function moveOrTimeOut(): Promise<readonly FailedDataset[]> {
    try {
      if (!readsLog(transfer)) await endFormerCapture(engine, transfer, run);
      return await (readsLog(transfer) ? moveByLog() : moveAll());
    } catch (error) {
      const timeout = run.timeoutError?.();
      if (timeout !== undefined)
        await watermarks.record(connectorId, watermarksOf(datasets, results), timeout, run.context());
      throw error;
    }
  }

  const failed = await moveOrTimeOut();
  const [first] = failed;
  const sentence = first ? failureOf(failed) : null;
  // Datasets that did not take part may still fail.
  const isWhole = datasets.length === transfer.datasets.length;
  const retryable = failed.some((one) => one.retryable);
  // The connector is failing once its run has failed. While the run can be retried, the status stays.
  const isFinal = !retryable || run.isLastAttempt;
  await watermarks.record(
    connectorId,
    watermarksOf(datasets, results),
    isFinal ? sentence : null,
    run.context(),
    isFinal && isWhole,
  );
  if (log) run.progress({ ...metricsOf(done()), ...logMetrics(log) });
  if (first) throw new DataProblem(sentence ?? "", { retryable, cause: first.error });
  return { ...metricsOf(done()), ...logMetrics(log) };
}

/** How many datasets are named with an error. */
const maxNamed = 20;

/** An error that several datasets have, such as a wrong setting of the connection, is said once. */
function failureOf(failed: readonly FailedDataset[]): string {
  const byMessage = Map.groupBy(failed, ({ error }) => error.message);
  return [...byMessage]
    .map(([message, datasets]) => {
      const names = datasets.slice(0, maxNamed).map(({ target_name }) => target_name);
      const others = datasets.length - names.length;
      return `${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}: ${message}`;
    })
    .join(" ");
}

const logMetrics = (log: CaptureLag | null) => (log ? { log } : {});

const noDatasets =
  "The connector has no datasets, so there is nothing to move. Add one with POST /api/v1/connectors/{connector_id}/datasets.";

const watermarksOf = (
  datasets: readonly Dataset[],
  results: ReadonlyMap<Dataset, DatasetResult>,
): DatasetWatermark[] =>
  datasets.flatMap((dataset) => {
    const { result } = results.get(dataset) ?? {};
    if (!result) return [];
    return {
      datasetId: dataset.id,
      value: result.watermark_after,
      time: result.watermark_time,
      warnings: result.warnings,
      column: result.watermark_column,
      schemaChanges: result.schema_changes ?? [],
      logKeys: result.log_keys,
    };
  });

/** The totals first, then each dataset. */
function metricsOf(done: readonly DatasetResult[]): Readonly<Record<string, unknown>> {
  const sum = (of: (result: TransferResult) => number) =>
    done.reduce((total, { result }) => total + of(result), 0);
  return {
    rows_read: sum(({ read }) => read),
    rows_inserted: sum(({ inserted }) => inserted),
    rows_updated: sum(({ updated }) => updated),
    rows_deleted: sum(({ deleted }) => deleted),
    rows_rejected: sum(({ rejected }) => rejected),
    rows_superseded: sum(({ superseded = 0 }) => superseded),
    bytes: sum(({ bytes }) => bytes),
    seconds: Math.round(done.reduce((total, { seconds }) => total + seconds, 0) * 1000) / 1000,
    datasets: done.map(({ target_name, seconds, result }) => ({
      target_name,
      rows_read: result.read,
      rows_inserted: result.inserted,
      rows_updated: result.updated,
      rows_deleted: result.deleted,
      rows_rejected: result.rejected,
      rows_superseded: result.superseded ?? 0,
      bytes: result.bytes,
      seconds,
      watermark_before: result.watermark_before,
      watermark_after: result.watermark_after,
      ...(result.warnings.length > 0 && { warnings: result.warnings }),
      ...(result.schema_changes?.length && { schema_changes: result.schema_changes }),
    })),
  };
}

function summaryOf({
  read,
  inserted,
  updated,
  deleted,
  rejected,
  superseded = 0,
  watermark_after,
}: TransferResult): string {
  const counts = [
    `${read} ${read === 1 ? "row" : "rows"} read`,
    `${inserted} inserted`,
    `${updated} updated`,
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(superseded > 0 ? [`${superseded} superseded by another row with the same key`] : []),
    ...(watermark_after === null ? [] : [`up to ${watermark_after}`]),
  ];
  return `${counts.join(", ")}.`;
}
