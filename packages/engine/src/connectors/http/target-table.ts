import { createHash } from "node:crypto";
import { DataProblem } from "../../protocol/problem.ts";
import { quote } from "../../warehouse/names.ts";
import type { Reject } from "../source/row-sink.ts";
import { takeByHalves } from "../target/bisection.ts";
import type { TargetContext } from "../target/context.ts";
import { recordOf } from "../target/json-records.ts";
import type { Changes, CrashPoint, Destination, Mark, Table, Written } from "../target/target.ts";
import { type Endpoint, type HttpSending, Refused } from "./sender.ts";

/**
 * Rows for an endpoint, in the body that generated notebooks send too. An endpoint takes part in no transaction: a batch whose
 * answer was lost is sent again, with the same Idempotency-Key wherever it holds the same rows. So every row arrives at
 * least once, and just once where the endpoint heeds that key.
 */
export class HttpTable implements Table {
  readonly blind = true;
  readonly #sending: HttpSending;
  readonly #endpoint: Endpoint;
  readonly #destination: Destination;
  readonly #context: Pick<TargetContext, "connector" | "ledger">;

  constructor(
    sending: HttpSending,
    endpoint: Endpoint,
    destination: Destination,
    context: Pick<TargetContext, "connector" | "ledger">,
  ) {
    this.#sending = sending;
    this.#endpoint = endpoint;
    this.#destination = destination;
    this.#context = context;
  }

  mark(): Promise<Mark | undefined> {
    return this.#context.ledger.read(this.#destination.stream);
  }

  async present() {
    return undefined;
  }

  async write(changes: Changes, mark: Mark, crashPoint: CrashPoint, signal: AbortSignal): Promise<Written> {
    const { name, columns, keys } = this.#destination;
    if (changes.gone) {
      throw new DataProblem('An HTTP endpoint cannot be told that rows are gone. Leave "deletes" out.');
    }
    await crashPoint("staged");
    const rejected: Reject[] = [];
    let sent = 0;
    let bytes = 0;
    // The same rows in the same order: so that the batches of a run that follows a killed one have the same keys.
    const record = recordOf(columns, "numbers");
    const order = [...keys.map(quote), record];
    for await (const batch of changes.batches([record], this.#endpoint.batchSize, order)) {
      const records = batch.map(([text]) => String(text));
      const refused: Reject[] = [];
      const take = async (from: number, to: number) => {
        const body = this.#body(records.slice(from, to));
        // The same body in another run is not the same batch: a row may have become again what it was.
        const key = createHash("sha256").update(`${changes.sending}\n${body}`).digest("hex");
        await this.#sending.send(body, key, signal);
        bytes += Buffer.byteLength(body);
      };
      await takeByHalves(
        {
          table: name,
          take,
          refusal: (error) => (error instanceof Refused ? error.message : undefined),
          refused: (at, reason) => {
            refused.push({ reason, row: exactly(records[at] ?? "{}") });
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
    await this.#context.ledger.write(this.#destination.stream, mark);
    await crashPoint("marked");
    return { inserted: sent, updated: 0, deleted: 0, rejected, bytes };
  }

  #body(records: readonly string[]): string {
    const { name, strategy, keys } = this.#destination;
    const about = JSON.stringify({
      connector: this.#context.connector,
      dataset: name,
      write_strategy: strategy,
      primary_keys: strategy === "append" ? [] : keys,
    });
    return `${about.slice(0, -1)},"records":[${records.join(",")}]}`;
  }
}

/** The record again, with numbers that a double cannot hold as text. */
const exactly = (record: string): Record<string, unknown> => {
  const exact = (_: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === "number" && source !== undefined && !Number.isSafeInteger(value) ? source : value;
  return JSON.parse(record, exact) as Record<string, unknown>;
};
