import { createHash } from "node:crypto";
import { DataProblem } from "../../protocol/problem.ts";
import type { Reject } from "../../protocol/transfer.ts";
import { quote } from "../../warehouse/names.ts";
import { writeByBisection } from "../target/bisection.ts";
import type { TargetContext } from "../target/context.ts";
import { recordOf } from "../target/json-records.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPointHook,
  Destination,
  TargetTable,
  WriteResult,
} from "../target/target.ts";
import { type HttpEndpoint, type HttpSender, RowsRefusedError } from "./sender.ts";

/**
 * Sends rows to an endpoint, in the same body that generated notebooks send. An endpoint has no transactions: a batch whose
 * response was lost is sent again, with the same Idempotency-Key if it holds the same rows. So every row is delivered at
 * least once, and exactly once if the endpoint honors the key.
 */
export class HttpTargetTable implements TargetTable {
  readonly isWriteOnly = true;
  readonly #sender: HttpSender;
  readonly #endpoint: HttpEndpoint;
  readonly #destination: Destination;
  readonly #context: Pick<TargetContext, "connector" | "checkpoints">;

  constructor(
    sender: HttpSender,
    endpoint: HttpEndpoint,
    destination: Destination,
    context: Pick<TargetContext, "connector" | "checkpoints">,
  ) {
    this.#sender = sender;
    this.#endpoint = endpoint;
    this.#destination = destination;
    this.#context = context;
  }

  readCheckpoint(): Promise<Checkpoint | undefined> {
    return this.#context.checkpoints.read(this.#destination.stream);
  }

  async existingRows() {
    return undefined;
  }

  async write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { name, columns, keys, strategy } = this.#destination;
    if (changes.deletedKeys) {
      throw new DataProblem('An HTTP endpoint cannot delete rows. Remove "deletes" from the dataset.');
    }
    await crashPoint("staged");
    const rejected: Reject[] = [];
    let sent = 0;
    let bytes = 0;
    // Always in the same order, so that a retry after a crash sends the same batches with the same keys.
    const record = recordOf(columns, "numbers");
    const rowKeys = strategy === "append" && changes.rowKey !== undefined ? [changes.rowKey] : [];
    // Rows of an upsert have different keys. Sorting by whole records would take several times as long.
    const order = [...keys.map(quote), ...(strategy === "upsert" ? [] : [`left(${record}, 64)`, ...rowKeys])];
    for await (const batch of changes.batches([record, ...rowKeys], this.#endpoint.batchSize, order)) {
      const records = batch.map(([text]) => String(text));
      const recordKeys = rowKeys.length > 0 ? batch.map(([, key]) => String(key)) : undefined;
      const refused: Reject[] = [];
      const write = async (from: number, to: number) => {
        const body = this.#body(records.slice(from, to), recordKeys?.slice(from, to));
        // The same body in another run is not the same batch: a row may have changed and changed back.
        const key = createHash("sha256").update(`${changes.sendId}\n${body}`).digest("hex");
        await this.#sender.send(body, key, signal);
        bytes += Buffer.byteLength(body);
      };
      await writeByBisection(
        {
          table: name,
          write,
          refusalOf: (error) => (error instanceof RowsRefusedError ? error : undefined),
          onRefused: (at, { reason, cause }) => {
            refused.push({ reason, cause, row: parseRecord(records[at] ?? "{}") });
          },
        },
        0,
        records.length,
      );
      await changes.reject(refused);
      rejected.push(...refused);
      sent += records.length - refused.length;
    }
    await crashPoint("written");
    await this.#context.checkpoints.write(this.#destination.stream, checkpoint);
    await crashPoint("checkpointed");
    return { inserted: sent, updated: 0, deleted: 0, rejected, bytes };
  }

  #body(records: readonly string[], recordKeys: readonly string[] | undefined): string {
    const { name, strategy, keys } = this.#destination;
    const header = JSON.stringify({
      connector: this.#context.connector,
      dataset: name,
      write_strategy: strategy,
      primary_keys: strategy === "append" ? [] : keys,
      ...(recordKeys && { record_keys: recordKeys }),
    });
    return `${header.slice(0, -1)},"records":[${records.join(",")}]}`;
  }
}

/** Parses a record. Numbers that a double cannot hold become strings. */
const parseRecord = (record: string): Record<string, unknown> => {
  const exact = (_: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === "number" && source !== undefined && !Number.isSafeInteger(value) ? source : value;
  return JSON.parse(record, exact) as Record<string, unknown>;
};
