import type { IncomingHttpHeaders } from "node:http";
import {
  acceptsDryRun,
  type Endpoint,
  type EndpointBody,
  type endpoints,
  isBounded,
  type ParsedRequest,
} from "@lakehelm/contract";
import type { Logger } from "pino";
import { createKeyedMutex } from "../../core/concurrency/keyed-mutex.ts";
import { forbidden, NotTransactional, Problem } from "../../core/errors.ts";
import type { System } from "../../core/system.ts";
import { assertConforms, jsonOf, visibleText } from "./answer-text.ts";
import { mayBeByPlanOnly } from "./authorization.ts";
import { type Guard, isServerAdmin, makeCall } from "./call.ts";
import { type HttpExchange, logFields, type RouteTarget } from "./exchange.ts";
import type { Call, Caller, HandlerResult } from "./handler.ts";
import { DuplicateRequest, type IdempotentRequest, type StoredAnswer } from "./idempotency.ts";
import type { Match } from "./router.ts";
import type { Service, TransactionalService } from "./service.ts";
import { isJudged, type WritePolicies } from "./write-policies.ts";

/** A request that was read and validated. */
export interface ReadRequest {
  readonly endpoint: Endpoint;
  readonly name: keyof typeof endpoints;
  readonly caller: Caller;
  readonly read: ParsedRequest;
  /** The path parameters as they were sent. */
  readonly params: Readonly<Record<string, string>>;
  readonly sent: Buffer | undefined;
  readonly yaml: string | undefined;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly client: () => string;
  readonly signal: () => AbortSignal;
}

type Handle = (call: Call) => HandlerResult<unknown> | Promise<HandlerResult<unknown>>;

/** The answer of a handler, or the stored one of an earlier request with the same key. */
type Answer = HandlerResult<unknown> | { readonly stored: StoredAnswer };

interface Dependencies {
  readonly system: System;
  readonly log: Logger;
  readonly service: Service;
  /** Serves requests whose changes are rolled back. */
  readonly transactional: () => Promise<TransactionalService>;
  readonly writes: WritePolicies;
  readonly guard: Guard;
  readonly route: (method: string, path: string) => Match<RouteTarget>;
  /** In tests: an answer that does not match its schema is an error. */
  readonly checkAnswers: boolean;
}

/**
 * Authorizes requests that were read, and lets their handlers answer: once for each idempotency key, and without effect
 * in a dry run.
 */
export function createExecution(deps: Dependencies) {
  const { system, log, guard, writes } = deps;
  /**
   * One judged write at a time: the state in which policies judged a write must be the state in which it is carried
   * out.
   */
  const judgedWrites = createKeyedMutex();

  return {
    execute(exchange: HttpExchange, asked: ReadRequest): Answer | Promise<Answer> {
      if (asked.name === "runBatch") return batch(exchange, asked);
      return asked.read.isDryRun ? dryRun(exchange, asked) : carryOut(deps.service, asked);
    },
  };

  /** Authorizes a request and lets its handler answer. No promise is needed if the handler answers synchronously. */
  function carryOut(service: Service, asked: ReadRequest): Answer | Promise<Answer> {
    const authorized = authorize(service, asked);
    if (service === deps.service && writes.exist && isJudged(asked.endpoint)) {
      return judgedFirst(asked, authorized);
    }
    if (authorized instanceof Promise) return authorized.then((caller) => answerOnce(service, asked, caller));
    return answerOnce(service, asked, authorized);
  }

  /**
   * Policies of the server judge the definitions after a write: the write is tried and rolled back before it is made.
   */
  async function judgedFirst(asked: ReadRequest, authorized: Caller | Promise<Caller>): Promise<Answer> {
    const caller = await authorized;
    const { endpoint, signal } = asked;
    const unknown = (effect: string) =>
      forbidden(
        `The server has policies, and they cannot judge a request that ${effect}. Change the project instead, and run: lakehelm apply`,
      );
    if (!acceptsDryRun(endpoint)) throw unknown(endpoint.effect ?? "cannot be tried");
    return judgedWrites.run("", async () => {
      const { dryRun } = await deps.transactional();
      const touched = await dryRun(caller.name, signal(), async (service) => {
        await carryOut(service, asked);
        return service.touched?.() ?? [];
      }).catch((error) => {
        throw error instanceof NotTransactional ? unknown(error.effect) : error;
      });
      await writes.require(touched, callOf(asked, caller, undefined).context);
      return answerOnce(deps.service, asked, caller);
    });
  }

  /** Throws if a policy of the server denies what a transaction has written so far. */
  async function requireAllowed(service: Service, asked: ReadRequest): Promise<void> {
    if (!writes.exist) return;
    await writes.require((await service.touched?.()) ?? [], callOf(asked, asked.caller, undefined).context);
  }

  function answerOnce(service: Service, asked: ReadRequest, caller: Caller): Answer | Promise<Answer> {
    const handle = service.handlers[asked.name as keyof Service["handlers"]] as Handle;
    const once = asked.endpoint.creates ? onceOf(service, asked) : undefined;
    return once ? answerWithKey(once, handle, asked, caller) : handle(callOf(asked, caller, undefined));
  }

  /** The stored answer if an earlier request with the same key was answered. */
  async function answerWithKey(
    once: IdempotentRequest,
    handle: Handle,
    asked: ReadRequest,
    caller: Caller,
  ): Promise<Answer> {
    const stored = await once.find();
    if (stored) return { stored };
    const call = callOf(asked, caller, once);
    try {
      const answer = await handle(call);
      await saveFinalAnswer(once, call, answer);
      return answer;
    } catch (error) {
      // The same idempotency key was used concurrently: the other request has created the resource or taken its name.
      const taken =
        error instanceof DuplicateRequest || (error instanceof Problem && error.kind === "conflict");
      const first = taken ? await once.find() : undefined;
      if (!first) throw error;
      return { stored: first };
    }
  }

  function callOf(asked: ReadRequest, caller: Caller, once: IdempotentRequest | undefined): Call {
    const { read, yaml, headers, id: requestId, client, signal } = asked;
    const source = { read, yaml, headers, caller, requestId, client, once, now: system.now, signal };
    return makeCall({ ...source, isBounded: isBounded(asked.endpoint) });
  }

  /** The caller with its role in the environment of the request. */
  function authorize(service: Service, asked: ReadRequest): Caller | Promise<Caller> {
    const { endpoint, caller, params, read, headers } = asked;
    if (endpoint.access === "public") return caller;
    if (isServerAdmin(caller) && !mayBeByPlanOnly(endpoint)) return caller;
    const environment = environmentOf(endpoint, headers, read.query);
    return service.authorize(endpoint, caller, { params, body: read.body, environment });
  }

  /** The answer that the request would get without `dry_run`. Nothing is written. */
  async function dryRun(exchange: HttpExchange, asked: ReadRequest): Promise<Answer> {
    exchange.isDryRun = true;
    const { endpoint, caller, signal } = asked;
    if (endpoint.readOnly) return carryOut(deps.service, asked);
    if (!acceptsDryRun(endpoint)) {
      await authorize(deps.service, asked);
      throw new NotTransactional(endpoint.effect ?? "cannot be tried");
    }
    const { dryRun } = await deps.transactional();
    return dryRun(caller.name, signal(), async (service) => {
      const answer = await carryOut(service, asked);
      await requireAllowed(service, asked);
      return answer;
    });
  }

  /** Each operation of a batch is executed like a request. */
  async function batch(exchange: HttpExchange, asked: ReadRequest): Promise<Answer> {
    const { read, signal, id, client } = asked;
    if (read.isDryRun) exchange.isDryRun = true;
    const { runBatch } = await import("./batch.ts");
    const text = await runBatch({
      request: read.body as EndpointBody<typeof endpoints.runBatch>,
      isDryRun: read.isDryRun ?? false,
      caller: asked.caller,
      signal: signal(),
      service: deps.service,
      transactional: deps.transactional,
      route: deps.route,
      /** Counts for the rate limit, and checks that the credential is still valid. */
      admit: (access) => guard(exchange.request, access),
      async carryOut(service, { endpoint, target, caller, read, params, sent, headers, url, at }) {
        const answer = await carryOut(service, {
          endpoint,
          name: target.name,
          caller,
          read,
          params,
          sent,
          yaml: undefined,
          id: `${id}/${at}`,
          headers,
          url,
          client,
          signal,
        });
        if ("stored" in answer) return { ...answer.stored, isReplayed: true };
        if ("errors" in answer) return answer;
        if ("text" in answer || "body" in answer) {
          const text = visibleText(endpoint, jsonOf(answer), caller);
          if (deps.checkAnswers) assertConforms(endpoint, text);
          return { text, version: answer.version };
        }
        if ("stream" in answer) answer.stream.destroy();
        throw new NotTransactional("answers with something other than JSON");
      },
      requireAllowed: (service) => requireAllowed(service, asked),
      onError: (error, at) => log.error({ ...logFields(exchange), operation: at, err: error }, "failed"),
    });
    return { text };
  }

  function onceOf({ idempotency }: Service, asked: ReadRequest): IdempotentRequest | undefined {
    const { name, caller, read, sent, headers, url } = asked;
    const { params, query, body } = read;
    const key = headers["idempotency-key"];
    if (key === undefined) return undefined;
    const environment = String(headers["x-environment-id"] ?? "");
    return idempotency.once(caller.name, name, String(key), {
      meaning: { params, query, environment, body },
      bytes: [url, environment, sent],
    });
  }

  /** Stores the final answer for the idempotency key. Endpoints that create never answer with a stream. */
  async function saveFinalAnswer(
    once: IdempotentRequest,
    call: Call,
    answer: HandlerResult<unknown>,
  ): Promise<void> {
    if ("text" in answer || "body" in answer)
      await once.saveFinal(jsonOf(answer), answer.version, call.context);
  }
}

/** Node joins all but a few headers that were sent twice. */
const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** A list takes its environment from the header or from the parameter; a handler refuses two different ones. */
function environmentOf({ scope }: Endpoint, headers: IncomingHttpHeaders, query: object): string | undefined {
  const header = headerText(headers["x-environment-id"]);
  if (header !== undefined || scope !== "list") return header;
  return (query as { readonly environment?: string }).environment;
}
