import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions, Channel } from "./grpc/channel.ts";
import { grpcCodes, RpcError } from "./grpc/rpc-error.ts";
import {
  type ExecutePlanResponse,
  InterruptRequest_InterruptType,
  type PlanSchema,
  type Relation,
  RelationSchema,
  SparkConnectService,
} from "./protocol/spark_connect_pb.ts";
import { firstPart, SparkError, sparkErrorOf } from "./spark-error.ts";
import { columnsOf, type SparkColumn } from "./types.ts";

const calls = SparkConnectService.method;
const clientType = "lakehelm";

export interface SparkSessionOptions {
  /** A UUID. The same id means the same session, even in another process of the same user. */
  readonly id?: string;
  readonly user: string;
  /** For how long to retry if the connection breaks during an operation. */
  readonly reconnectMs?: number;
}

export interface ExecuteOptions extends CallOptions {
  /** A UUID. If it is sent again, the call joins the running operation instead of starting a second one. */
  readonly operationId?: string;
  onProgress?(progress: SparkProgress): void;
}

export interface SparkProgress {
  readonly tasks: number;
  readonly completedTasks: number;
  readonly bytesRead: bigint;
}

/** A part of a result: a complete Arrow stream with its own schema. */
export interface SparkBatch {
  readonly rows: number;
  readonly arrow: Uint8Array;
}

type Plan = MessageInitShape<typeof PlanSchema>;

/** A page of a query. The text is not changed, so that positions in errors stay valid. */
export interface SparkPage {
  readonly sql: string;
  readonly skip?: number;
  readonly limit?: number;
}

/** A session of a Spark Connect server, with its own settings and temporary views. */
export class SparkSession {
  readonly id: string;
  readonly #channel: Channel;
  readonly #user: string;
  readonly #reconnectMs: number;

  constructor(channel: Channel, { id = randomUUID(), user, reconnectMs = 30_000 }: SparkSessionOptions) {
    this.#channel = channel;
    this.id = id;
    this.#user = user;
    this.#reconnectMs = reconnectMs;
  }

  get #head() {
    return { sessionId: this.id, userContext: { userId: this.#user }, clientType };
  }

  async version(options: CallOptions = {}): Promise<string> {
    const analyze = { case: "sparkVersion", value: {} } as const;
    const { result } = await this.#explaining(() =>
      this.#channel.call(calls.analyzePlan, { ...this.#head, analyze }, options),
    );
    return result.case === "sparkVersion" ? result.value.version : "";
  }

  /** The columns of a query, by Spark's analysis only: a query is not run, and a command has no effect. */
  async columnsOfQuery(sql: string, options: CallOptions = {}): Promise<SparkColumn[]> {
    return this.#columns({ relType: { case: "sql", value: { query: sql } } }, options);
  }

  /** The columns of a table, by its quoted name. */
  async columnsOfTable(name: string, options: CallOptions = {}): Promise<SparkColumn[]> {
    const readType = { case: "namedTable", value: { unparsedIdentifier: name } } as const;
    return this.#columns({ relType: { case: "read", value: { readType } } }, options);
  }

  async #columns(
    root: MessageInitShape<typeof RelationSchema>,
    options: CallOptions,
  ): Promise<SparkColumn[]> {
    const plan = { opType: { case: "root", value: root } } as const;
    const analyze = { case: "schema", value: { plan } } as const;
    const { result } = await this.#explaining(() =>
      this.#channel.call(calls.analyzePlan, { ...this.#head, analyze }, options),
    );
    return columnsOf(result.case === "schema" ? result.value.schema : undefined);
  }

  /** Runs a query and yields its rows as they arrive. Leaving the loop cancels the query. */
  async *query({ sql, skip, limit }: SparkPage, options: ExecuteOptions = {}): AsyncGenerator<SparkBatch> {
    let root = create(RelationSchema, { relType: { case: "sql", value: { query: sql } } });
    if (skip)
      root = create(RelationSchema, { relType: { case: "offset", value: { input: root, offset: skip } } });
    if (limit !== undefined)
      root = create(RelationSchema, { relType: { case: "limit", value: { input: root, limit } } });
    yield* this.#batches({ opType: { case: "root", value: root } }, options);
  }

  /** Runs a statement once, and yields the rows that it returns. */
  async *execute(sql: string, options: ExecuteOptions = {}): AsyncGenerator<SparkBatch> {
    const input = create(RelationSchema, { relType: { case: "sql", value: { query: sql } } });
    const command = { commandType: { case: "sqlCommand", value: { input } } } as const;
    let relation: Relation | undefined;
    const plan = { opType: { case: "command", value: command } } as const;
    for await (const { responseType } of this.#responses(plan, options)) {
      if (responseType.case === "sqlCommandResult") relation = responseType.value.relation;
    }
    if (!relation) return;
    const { signal } = options;
    yield* this.#batches({ opType: { case: "root", value: relation } }, { signal });
  }

  async *#batches(plan: Plan, options: ExecuteOptions): AsyncGenerator<SparkBatch> {
    for await (const { responseType } of this.#responses(plan, options)) {
      if (responseType.case !== "arrowBatch") continue;
      const { rowCount, data } = responseType.value;
      // The data is copied, because Arrow readers need it at an address that is a multiple of eight.
      yield { rows: Number(rowCount), arrow: new Uint8Array(data) };
    }
  }

  /** Sets options of this session. */
  async configure(settings: Readonly<Record<string, string>>, options: CallOptions = {}): Promise<void> {
    const pairs = Object.entries(settings).map(([key, value]) => ({ key, value }));
    const operation = { opType: { case: "set", value: { pairs } } } as const;
    await this.#explaining(() => this.#channel.call(calls.config, { ...this.#head, operation }, options));
  }

  /** The values of options; null: the option is not set and has no default. */
  async configuration(
    keys: readonly string[],
    options: CallOptions = {},
  ): Promise<Readonly<Record<string, string | null>>> {
    const value = { keys: [...keys] };
    const operation = { opType: { case: "getOption" as const, value } };
    const { pairs } = await this.#explaining(() =>
      this.#channel.call(calls.config, { ...this.#head, operation }, options),
    );
    return Object.fromEntries(pairs.map(({ key, value }) => [key, value ?? null]));
  }

  async interrupt(operationId: string): Promise<void> {
    await this.#channel.call(calls.interrupt, {
      ...this.#head,
      interruptType: InterruptRequest_InterruptType.OPERATION_ID,
      interrupt: { case: "operationId", value: operationId },
    });
  }

  /** Ends the session and all its operations. */
  async release(): Promise<void> {
    await this.#channel.call(calls.releaseSession, this.#head, { signal: AbortSignal.timeout(endMs) });
  }

  /**
   * The responses of an operation, over several connections if necessary: the server ends each stream after a while,
   * and a connection can break. Ends with the operation, and throws a SparkError or an RpcError.
   */
  async *#responses(plan: Plan, options: ExecuteOptions): AsyncGenerator<ExecutePlanResponse> {
    const { operationId = randomUUID(), signal, onProgress } = options;
    const reattachable = {
      requestOption: { case: "reattachOptions", value: { reattachable: true } },
    } as const;
    let lastResponseId: string | undefined;
    let isSent = false;
    let isComplete = false;
    let brokenSince: number | undefined;
    try {
      while (!isComplete) {
        const head = { ...this.#head, operationId };
        const stream = isSent
          ? this.#channel.stream(
              calls.reattachExecute,
              { ...head, ...(lastResponseId !== undefined && { lastResponseId }) },
              { signal },
            )
          : this.#channel.stream(
              calls.executePlan,
              { ...head, plan, requestOptions: [reattachable] },
              { signal },
            );
        try {
          for await (const response of stream) {
            isSent = true;
            brokenSince = undefined;
            lastResponseId = response.responseId;
            if (response.responseType.case === "resultComplete") isComplete = true;
            else if (response.responseType.case === "executionProgress") {
              onProgress?.(progressOf(response.responseType.value.stages));
            } else yield response;
          }
        } catch (error) {
          const explained = await this.#explained(error);
          if (isNeverReceived(explained) && lastResponseId === undefined && isSent) {
            // The request did not reach the server, so it is sent again with the same id.
            isSent = false;
            continue;
          }
          if (!isUnavailable(explained)) throw explained;
          brokenSince ??= performance.now();
          if (performance.now() - brokenSince > this.#reconnectMs) throw explained;
          // It is unknown whether the request reached the server: reattaching finds out.
          isSent = true;
          await pause(reconnectPauseMs, undefined, { signal });
        }
      }
    } finally {
      await this.#end(operationId, isComplete);
    }
  }

  /**
   * Frees what the server keeps of an operation, and stops a running operation. Without this call, the server frees it
   * later.
   */
  async #end(operationId: string, isComplete: boolean): Promise<void> {
    const signal = AbortSignal.timeout(endMs);
    try {
      if (!isComplete) {
        await this.#channel.call(
          calls.interrupt,
          {
            ...this.#head,
            interruptType: InterruptRequest_InterruptType.OPERATION_ID,
            interrupt: { case: "operationId", value: operationId },
          },
          { signal },
        );
      }
      const release = { case: "releaseAll", value: {} } as const;
      await this.#channel.call(calls.releaseExecute, { ...this.#head, operationId, release }, { signal });
    } catch {
      // The caller already has the result, or another error.
    }
  }

  async #explaining<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  /** Adds Spark's details to an error. */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof RpcError) || error.code === grpcCodes.unavailable) return error;
    const { errorId, errorClass, sqlState } = error.info;
    if (errorId !== undefined) {
      const details = await this.#channel
        .call(calls.fetchErrorDetails, { ...this.#head, errorId }, { signal: AbortSignal.timeout(endMs) })
        .catch(() => undefined);
      const found = details && sparkErrorOf(details, error);
      if (found) return found;
    }
    const inMessage = /^\[([A-Z][A-Z_.]{2,100})\]/.exec(error.message)?.[1];
    if (errorClass === undefined && inMessage === undefined) return error;
    return new SparkError(
      firstPart(error.message),
      { errorClass: errorClass ?? inMessage ?? null, sqlState: sqlState ?? null },
      { cause: error },
    );
  }
}

const reconnectPauseMs = 250;
const endMs = 5_000;

const isUnavailable = (error: unknown): boolean =>
  error instanceof RpcError && error.code === grpcCodes.unavailable;

const isNeverReceived = (error: unknown): boolean =>
  error instanceof SparkError && error.errorClass === "INVALID_HANDLE.OPERATION_NOT_FOUND";

type Stages = Extract<ExecutePlanResponse["responseType"], { case: "executionProgress" }>["value"]["stages"];

const progressOf = (stages: Stages): SparkProgress => ({
  tasks: Number(stages.reduce((sum, { numTasks }) => sum + numTasks, 0n)),
  completedTasks: Number(stages.reduce((sum, { numCompletedTasks }) => sum + numCompletedTasks, 0n)),
  bytesRead: stages.reduce((sum, { inputBytesRead }) => sum + inputBytesRead, 0n),
});
