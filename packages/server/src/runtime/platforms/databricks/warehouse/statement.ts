import { setTimeout } from "node:timers/promises";
import { DataProblem } from "@lakehelm/engine";
import { segment } from "../client/path.ts";
import type { Workspace } from "../workspaces.ts";
import { type ExternalLink, readLink } from "./external-link.ts";

/** A statement for the SQL warehouse. */
export interface Statement {
  readonly sql: string;
  readonly timeoutMs: number;
  /** The result ends before it has more bytes than this. */
  readonly maxBytes: number;
  /** The statement is idempotent, so it is sent again if no answer comes. */
  readonly isIdempotent: boolean;
}

export interface ResultColumn {
  readonly name: string;
  /** `INT`, `DECIMAL`, `STRUCT`, … */
  readonly kind: string;
  /** `DECIMAL(12,2)` */
  readonly type: string;
}

export interface StatementResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
  /** Rows are missing, because the result was too large. */
  readonly isTruncated: boolean;
}

interface StatementAnswer {
  readonly statement_id?: string;
  readonly status?: { readonly state?: string; readonly error?: { readonly message?: string } };
  readonly manifest?: {
    readonly schema?: {
      readonly columns?: readonly {
        readonly name?: string;
        readonly type_name?: string;
        readonly type_text?: string;
      }[];
    };
    readonly truncated?: boolean;
  };
  readonly result?: ResultChunk;
}

interface ResultChunk {
  readonly data_array?: readonly Row[];
  readonly external_links?: readonly ExternalLink[];
  readonly next_chunk_index?: number;
}

const path = "/api/2.0/sql/statements";
/** The workspace's limit for results in its own answers is 25 MiB; larger ones come as links. */
const mostInline = 24 * 1024 * 1024;
/** Short, because a caller waits. */
const patienceMs = 3_000;
/** Characters of JSON take more space than the values. */
const jsonFactor = 3;

/**
 * Runs one statement on the SQL warehouse and reads its whole result. The statement is cancelled in the workspace when
 * its time is over or the signal is aborted. Throws a DataProblem if the statement fails or takes too long, and a
 * WorkspaceError if the workspace fails.
 */
export async function runStatement(
  { client, configuration, outbound }: Workspace,
  { sql, timeoutMs, maxBytes, isIdempotent }: Statement,
  signal: AbortSignal,
): Promise<StatementResult> {
  const { warehouseId, catalog, schema } = configuration;
  if (warehouseId === null) {
    throw new DataProblem(
      "The environment has no SQL warehouse. Set configuration.warehouse_id to the id of one.",
    );
  }
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const limit = AbortSignal.any([signal, timeout]);
  const reading = { signal: limit, maxBytes: maxBytes * jsonFactor, patienceMs };
  const body = {
    statement: sql,
    warehouse_id: warehouseId,
    catalog,
    schema,
    // The shortest time that the workspace accepts, except for none.
    wait_timeout: "5s",
    on_wait_timeout: "CONTINUE",
    disposition: maxBytes > mostInline ? "EXTERNAL_LINKS" : "INLINE",
    format: "JSON_ARRAY",
    byte_limit: maxBytes,
  };
  // This request is not aborted: without its id the statement could not be cancelled.
  const submitted = client.send<StatementAnswer>("POST", path, body, {
    isIdempotent,
    maxBytes: reading.maxBytes,
    patienceMs,
  });
  const cancel = async () => {
    const { statement_id: id } = await submitted;
    if (id) await client.send("POST", `${path}/${segment(id)}/cancel`, {}, { isIdempotent: true });
  };
  let state: string | undefined;
  try {
    let answer = await unlessAborted(submitted, limit);
    const id = segment(answer.statement_id ?? "");
    for (let wait = 100; isOpen(answer); wait = Math.min(wait * 1.5, 3_000)) {
      state = answer.status?.state;
      await setTimeout(wait, undefined, { signal: limit });
      answer = await client.get(`${path}/${id}`, {}, reading);
    }
    requireSuccess(answer);
    const rows = await readRows(answer.result ?? {}, {
      chunk: (index) => client.get(`${path}/${id}/result/chunks/${index}`, {}, reading),
      link: (link) => readLink(outbound, link, reading.maxBytes, limit),
    });
    return { columns: columnsOf(answer), rows, isTruncated: answer.manifest?.truncated ?? false };
  } catch (error) {
    if (!limit.aborted) throw error;
    // Nobody waits for the statement any more.
    cancel().catch(() => {});
    signal.throwIfAborted();
    const seconds = timeoutMs / 1000;
    throw new DataProblem(
      state === "PENDING"
        ? `The SQL warehouse did not begin with the statement within ${seconds} s: it is starting, or busy. Try again in a few minutes.`
        : `The statement was stopped after ${seconds} s.`,
    );
  }
}

type Row = readonly (string | null)[];

/** The rows of a result, whose chunks name their successors. */
async function readRows(
  first: ResultChunk,
  read: { chunk(index: number): Promise<ResultChunk>; link(link: ExternalLink): Promise<Row[]> },
): Promise<Row[]> {
  const rows: Row[] = [];
  let chunk = first;
  for (let index = 0; ; ) {
    for (const row of chunk.data_array ?? []) rows.push(row);
    const [link] = chunk.external_links ?? [];
    if (link) for (const row of await read.link(link)) rows.push(row);
    const next = chunk.next_chunk_index ?? link?.next_chunk_index;
    // Later chunks have greater numbers: otherwise the loop would never end.
    if (next === undefined || next <= index) return rows;
    index = next;
    chunk = await read.chunk(next);
  }
}

const isOpen = ({ status }: StatementAnswer): boolean =>
  status?.state === "PENDING" || status?.state === "RUNNING";

/** A statement that failed is a success of the request. */
function requireSuccess({ status }: StatementAnswer): void {
  if (status?.state === "SUCCEEDED") return;
  if (status?.state === "FAILED") {
    throw new DataProblem(
      status.error?.message ?? "The statement failed, and the workspace does not say why.",
    );
  }
  throw new DataProblem(`The statement was ended in the workspace (${status?.state ?? "no state"}).`);
}

const columnsOf = ({ manifest }: StatementAnswer): ResultColumn[] =>
  (manifest?.schema?.columns ?? []).map(({ name = "", type_name = "STRING", type_text }) => ({
    name,
    kind: type_name.toUpperCase(),
    type: type_text ?? type_name,
  }));

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  return promise;
}
