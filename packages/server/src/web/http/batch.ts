import type { IncomingHttpHeaders } from "node:http";
import {
  type Access,
  batchHeaders,
  type Endpoint,
  type EndpointBody,
  type endpoints,
  maxOperations,
  type ParsedRequest,
  type requestParser,
} from "@lakehelm/contract";
import { encodeJson, type ValidationError } from "@lakehelm/contract/schema";
import { InvalidRequest, NotTransactional, notFound, Problem, unreadable } from "../../core/errors.ts";
import { etag } from "../../core/store/collection.ts";
import { errorResponse } from "./errors.ts";
import type { Caller } from "./handler.ts";
import type { Match } from "./router.ts";
import type { Service, TransactionalService } from "./service.ts";
import { limitedErrors } from "./validation-answer.ts";

type BatchRequest = EndpointBody<typeof endpoints.runBatch>;
type Operation = BatchRequest["operations"][number];

interface Target {
  readonly name: keyof typeof endpoints;
  readonly read: ReturnType<typeof requestParser>;
  readonly bodyLimit: number;
}

/** An operation that was read and validated. */
interface ReadOperation {
  readonly endpoint: Endpoint;
  readonly target: Target;
  readonly caller: Caller;
  readonly read: ParsedRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly sent: Buffer | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** The operation's position in the batch. */
  readonly at: number;
}

type OperationAnswer =
  | { readonly text: string; readonly version: number | undefined; readonly isReplayed?: true }
  | { readonly errors: readonly ValidationError[] };

interface Batch {
  readonly request: BatchRequest;
  readonly isDryRun: boolean;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly service: Service;
  readonly transactional: () => Promise<TransactionalService>;
  readonly route: (method: string, path: string) => Match<Target>;
  /** Counts an operation as a request of the caller, and checks its role. */
  readonly admit: (access: Access) => Caller | Promise<Caller>;
  readonly carryOut: (service: Service, operation: ReadOperation) => Promise<OperationAnswer>;
  /** Throws if a policy of the server denies what a transaction has written so far. */
  readonly requireAllowed: (service: Service) => Promise<void>;
  readonly onError: (error: unknown, at: number) => void;
}

/** The result of one operation; `status` is null if it was not carried out. */
interface Result {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** With the mode `each`, no operation of a batch begins after this time. */
const timeLimitMs = 60_000;
/** The most characters of all answers together. */
const maxAnswers = 16 * 1024 * 1024;

const notCarriedOut: Result = { status: null, headers: {}, text: "null" };
const isFailure = ({ status }: Result) => status !== null && status >= 400;

/** Carries out the operations of a batch in their order. Returns the text of the answer. */
export async function runBatch(batch: Batch): Promise<string> {
  const { operations, mode } = batch.request;
  if (operations.length === 0 || operations.length > maxOperations) {
    throw new InvalidRequest(
      ["body", "operations"],
      `A batch has 1 to ${maxOperations} operations.`,
      operations.length,
    );
  }
  const results = mode === "each" ? await carryOutEach(batch) : await carryOutTogether(batch);
  const failed = results.findIndex(isFailure);
  const isComplete = results.length === operations.length && failed < 0;
  const texts = operations.map(({ id }, at) => resultText(id, results[at] ?? notCarriedOut));
  return `{"committed":${isComplete && !batch.isDryRun},"failed":${failed < 0 ? null : failed},"results":[${texts.join(",")}]}`;
}

const resultText = (id: string | undefined, { status, headers, text }: Result) =>
  `{"id":${encodeJson(id ?? null)},"status":${status},"headers":${encodeJson(headers)},"body":${text}}`;

async function carryOutEach(batch: Batch): Promise<Result[]> {
  const { caller, isDryRun, signal, service } = batch;
  const end = performance.now() + timeLimitMs;
  const transactional = isDryRun ? await batch.transactional() : undefined;
  const results: Result[] = [];
  let length = 0;
  for (const [at, operation] of batch.request.operations.entries()) {
    if (signal.aborted || performance.now() > end || length > maxAnswers) break;
    const result = await resultOf(batch, operation, at, async (read) => {
      if (!transactional || read.endpoint.readOnly) return batch.carryOut(service, read);
      if (read.endpoint.effect) throw new NotTransactional(read.endpoint.effect);
      return transactional.dryRun(caller.name, signal, async (scoped) => {
        const answer = await batch.carryOut(scoped, read);
        await batch.requireAllowed(scoped);
        return answer;
      });
    });
    length += result.text.length;
    results.push(result);
  }
  return results;
}

/** In one transaction, which is rolled back after the first failure. */
async function carryOutTogether(batch: Batch): Promise<Result[]> {
  const { caller, isDryRun, signal } = batch;
  const { transaction } = await batch.transactional();
  return transaction(caller.name, signal, async (service, commit) => {
    const results: Result[] = [];
    let length = 0;
    for (const [at, operation] of batch.request.operations.entries()) {
      signal.throwIfAborted();
      const result = await resultOf(batch, operation, at, async (read) => {
        if (read.endpoint.effect) throw new NotTransactional(read.endpoint.effect);
        return batch.carryOut(service, read);
      });
      // The operations before are rolled back.
      if (isFailure(result)) return [...results.map(() => notCarriedOut), result];
      length += result.text.length;
      if (length > maxAnswers) {
        throw new Problem("tooLarge", `The answers of a batch have at most ${maxAnswers / 1024 / 1024} MB.`);
      }
      results.push(result);
    }
    try {
      await batch.requireAllowed(service);
    } catch (error) {
      // Policies judge the batch as a whole. Their message names the resource.
      const refused = failedResult(error, results.length - 1, batch.onError);
      return [...results.slice(1).map(() => notCarriedOut), refused];
    }
    if (!isDryRun) await commit();
    return results;
  });
}

async function resultOf(
  batch: Batch,
  operation: Operation,
  at: number,
  carryOut: (operation: ReadOperation) => Promise<OperationAnswer>,
): Promise<Result> {
  try {
    const read = await readOperation(batch, operation, at);
    const answer = "errors" in read ? read : await carryOut(read);
    if ("errors" in answer) return errorResult(422, limitedErrors(answer.errors));
    const { text, version, isReplayed } = answer;
    const headers = {
      ...(version !== undefined && { etag: etag(version) }),
      ...(isReplayed && { "idempotency-replayed": "true" }),
    };
    return { status: 200, headers, text };
  } catch (error) {
    return failedResult(error, at, batch.onError);
  }
}

/** Reads an operation like a single request: its route, caller and role, then its body. */
async function readOperation(
  { route, admit }: Batch,
  { method, path: url, headers: sentHeaders, body }: Operation,
  at: number,
): Promise<ReadOperation | { readonly errors: readonly ValidationError[] }> {
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  const match = route(method, path);
  if (match.kind === "malformed") throw unreadable("The path has invalid percent-encoding.");
  if (match.kind === "wrongMethod")
    throw new Problem("wrongMethod", "This path does not support this method.");
  if (match.kind === "unknown") {
    await admit("viewer");
    throw notFound("There is no endpoint at this path.");
  }
  const { endpoint, target } = match.route;
  const caller = await admit(endpoint.access);
  const place = ["body", "operations", at];
  if (target.name === "runBatch") throw new InvalidRequest(place, "A batch contains no batch.", url);
  if (endpoint.access === "public" || endpoint.body === "bytes") {
    throw new InvalidRequest(
      [...place, "path"],
      "This request cannot be part of a batch: send it alone.",
      url,
    );
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(sentHeaders)) {
    const known = batchHeaders.find((one) => one === name.toLowerCase());
    if (!known) {
      const allowed = "If-Match, Idempotency-Key, X-Environment-Id";
      throw new InvalidRequest([...place, "headers"], `Headers of an operation: ${allowed}.`, name);
    }
    headers[known] = value;
  }
  const sent = body === undefined ? undefined : Buffer.from(encodeJson(body));
  if (sent && sent.length > target.bodyLimit) {
    throw new Problem("tooLarge", `The request body has more than ${target.bodyLimit} bytes.`);
  }
  const { params } = match;
  const contentType = "application/json";
  const read = target.read({
    params,
    url,
    body: endpoint.body ? (sent ?? Buffer.alloc(0)) : undefined,
    contentType,
  });
  if ("unreadable" in read) throw unreadable(read.unreadable);
  if ("errors" in read) return read;
  if (path.includes("%00") && !endpoint.answersUnknownNames)
    throw notFound("There is no endpoint at this path.");
  if (read.isDryRun) throw new InvalidRequest([...place, "path"], "Send dry_run with the batch.", url);
  return { endpoint, target, caller, read, params, sent, headers, url, at };
}

function failedResult(error: unknown, at: number, onError: Batch["onError"]): Result {
  if (error instanceof InvalidRequest) {
    const { loc, message: msg, input } = error;
    return errorResult(422, [{ type: "value_error", loc: [...loc], msg, input }]);
  }
  if (error instanceof NotTransactional) {
    const loc = ["body", "operations", at, "path"];
    return errorResult(422, [{ type: "value_error", loc, msg: error.message, input: null }]);
  }
  const { status, detail, headers, unexpected } = errorResponse(error);
  if (unexpected) onError(error, at);
  const retry = headers.indexOf("retry-after");
  return errorResult(status, detail, retry < 0 ? {} : { "retry-after": headers[retry + 1] ?? "" });
}

const errorResult = (status: number, detail: unknown, headers: Result["headers"] = {}): Result => ({
  status,
  headers,
  text: encodeJson({ detail }),
});
