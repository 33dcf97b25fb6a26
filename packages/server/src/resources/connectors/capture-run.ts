import { connectionKind } from "@lakehelm/contract/connections";
import {
  type CaptureLag,
  DataProblem,
  type Dataset,
  type Engine,
  type TransferResult,
} from "@lakehelm/engine";
import type { ConnectorRunOptions } from "./run-parameters.ts";
import type { ConnectorTransfer } from "./transfer-request.ts";

export interface FailedDataset {
  readonly target_name: string;
  readonly error: Error;
  readonly retryable: boolean;
}

interface CaptureControl {
  readonly connectorId: string;
  readonly runId: string;
  readonly signal: AbortSignal;
  line(level: "info" | "warn" | "error", text: string): void;
  progress(metrics: Readonly<Record<string, unknown>>): void;
}

interface CapturedDatasets {
  readonly moved: readonly {
    readonly dataset: Dataset;
    readonly seconds: number;
    readonly result: TransferResult;
  }[];
  readonly failed: readonly FailedDataset[];
  readonly log: CaptureLag | null;
}

/** Whether the connector applies the changes in its source's log, instead of reading tables. */
export const readsLog = ({
  direction,
  connection,
}: Pick<ConnectorTransfer, "direction" | "connection">): boolean =>
  direction === "in" &&
  connectionKind(connection.type)?.source?.hasLog === true &&
  String(connection.config.capture).toLowerCase() === "log";

/** Moves the datasets of a run. An error that concerns all of them, such as a lost slot, fails every dataset. */
export async function captureDatasets(
  engine: Pick<Engine, "request">,
  {
    transfer,
    datasets,
    options,
  }: {
    readonly transfer: ConnectorTransfer;
    readonly datasets: readonly Dataset[];
    readonly options: ConnectorRunOptions;
  },
  { connectorId, runId, signal, line, progress }: CaptureControl,
): Promise<CapturedDatasets> {
  const { scope, connection } = transfer;
  try {
    const { datasets: outcomes, log } = await engine.request(
      "capture",
      {
        scope,
        connector: connectorId,
        connection,
        datasets: transfer.datasets,
        chosen: datasets.map(({ id }) => id),
        run: runId,
        retryRejects: options.retryRejects,
        fromStart: options.fromStart,
      },
      { signal, onLogLine: line, onProgress: (values) => progress({ moving: values }) },
    );
    const of = datasets.map((dataset) => ({ dataset, ...outcomes.find(({ id }) => id === dataset.id) }));
    return {
      log,
      moved: of.flatMap(({ dataset, seconds = 0, result }) => (result ? [{ dataset, seconds, result }] : [])),
      failed: of.flatMap(({ dataset, failure }) =>
        failure
          ? [
              {
                target_name: dataset.target,
                error: new DataProblem(failure.sentence),
                retryable: failure.retryable,
              },
            ]
          : [],
      ),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof Error)) throw error;
    const retryable = error instanceof DataProblem && error.retryable;
    const target_name = datasets.map(({ target }) => target).join(", ");
    return { log: null, moved: [], failed: [{ target_name, error, retryable }] };
  }
}

/**
 * Removes the replication slot of a connector that no longer reads the log, for which the source would keep its log.
 */
export async function endFormerCapture(
  engine: Pick<Engine, "request">,
  { scope, direction, connection }: ConnectorTransfer,
  { connectorId, signal, line }: Pick<CaptureControl, "connectorId" | "signal" | "line">,
): Promise<void> {
  if (direction !== "in" || !connectionKind(connection.type)?.source?.hasLog) return;
  try {
    const { removed, left } = await engine.request(
      "endCapture",
      { scope, connector: connectorId, connection },
      { signal },
    );
    if (left !== undefined) line("warn", left);
    else if (removed)
      line("info", "The connector no longer reads the log, so its replication slot was removed.");
  } catch (error) {
    if (signal.aborted || !(error instanceof DataProblem)) throw error;
    line("warn", `The replication slot of this connector could not be removed. ${error.message}`);
  }
}
