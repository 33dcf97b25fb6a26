import { type Endpoint, endpoints } from "@lakehelm/contract";
import { conforms, decodeJson, type Entry, encodeJson } from "@lakehelm/contract/schema";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Caller } from "../identity/caller.ts";
import type { Nature } from "../ids.ts";
import { notFound, unreadable } from "../problems.ts";
import type { Settings } from "../settings.ts";
import { etag } from "../store/collection.ts";
import { makeCall } from "./call.ts";
import { answerClientError } from "./client-error.ts";
import { refuse } from "./errors.ts";
import { sendEventStream } from "./event-stream.ts";
import { anyone, type Guard } from "./guard.ts";
import type { Answer, Call, Handlers } from "./handler.ts";
import { type Idempotency, type Kept, type Once, Repeated } from "./idempotency.ts";
import type { Metrics } from "./metrics.ts";
import { acceptedRequestId } from "./request-id.ts";
import { allowedMethods, routeOf } from "./routes.ts";
import { type Validate, validatorOf } from "./validate.ts";

export interface AppParts {
  readonly settings: Settings;
  readonly nature: Nature;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly idempotency: Idempotency;
  readonly guard: Guard;
  readonly handlers: Handlers<typeof endpoints>;
  /** Ends when the server stops: streams end with it. */
  readonly stopping: AbortSignal;
  /** In tests: an answer that does not match its schema is an error. */
  readonly checkAnswers: boolean;
}

type AnyHandler = (call: Call) => Promise<Answer<unknown>>;

const json = "application/json; charset=utf-8";

/** The HTTP side of the contract: each endpoint becomes a route; every request walks the same way. */
export function createApp(parts: AppParts): FastifyInstance {
  const { settings, nature, log, metrics, guard } = parts;
  const app = fastify({
    // Requests are logged by us, once; Fastify's own lines would double them.
    logger: false,
    requestIdHeader: false,
    genReqId: (raw) => acceptedRequestId(raw.headers["x-request-id"]) ?? nature.newId(),
    bodyLimit: settings.PLATFORM_BODY_LIMIT_BYTES,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void refuseUnknown(request, reply, () => error),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 16_384,
      // Queries are read by the contract's own rules (validate.ts).
      querystringParser: () => ({}),
    },
  });
  const callers = new WeakMap<FastifyRequest, Caller>();
  const methodsOf = allowedMethods(Object.values(endpoints));

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    refuseUnknown(request, reply, () => {
      const path = request.url.split("?", 1)[0] as string;
      const methods = methodsOf(path);
      if (methods.length === 0) return notFound("There is nothing at this path.");
      reply.header("allow", methods.join(", "));
      return Object.assign(new Error(), { statusCode: 405, code: "METHOD_NOT_ALLOWED" });
    }),
  );
  app.addHook("onResponse", (request, reply, done) => {
    const name = (request.routeOptions.config as { name?: string }).name ?? "none";
    metrics.observe(name, reply.statusCode, reply.elapsedTime / 1000);
    if (log.isLevelEnabled("debug")) log.debug(line(request, reply), "answered");
    done();
  });

  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    addRoute(name, endpoint, parts.handlers[name as keyof typeof endpoints] as AnyHandler);
  }
  return app;

  function addRoute(name: string, endpoint: Endpoint, handler: AnyHandler): void {
    const validate = validatorOf(endpoint);
    const limit = endpoint.bodyLimit === "codegen" ? settings.PLATFORM_CODEGEN_BODY_LIMIT_BYTES : undefined;
    app.route({
      method: endpoint.method,
      url: routeOf(endpoint),
      config: { name },
      ...(limit !== undefined && { bodyLimit: limit }),
      onRequest(request, reply, done) {
        reply.header("x-request-id", request.id);
        try {
          const caller = guard(request.headers, endpoint.access);
          if (!(caller instanceof Promise)) {
            callers.set(request, caller);
            return done();
          }
          caller.then(
            (known) => {
              callers.set(request, known);
              done();
            },
            (error) => done(error),
          );
        } catch (error) {
          done(error as Error);
        }
      },
      handler: (request, reply) => handle(request, reply, name, endpoint, validate, handler),
    });
  }

  async function handle(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    endpoint: Endpoint,
    validate: Validate,
    handler: AnyHandler,
  ): Promise<FastifyReply> {
    const sent = request.body as Buffer | undefined;
    const params = pathValues(request.params as Record<string, string>);
    const validated = validate(params, request.url, sent, request.headers["content-type"]);
    if ("entries" in validated) return sendInvalid(request, reply, validated.entries);
    if ("unreadable" in validated) throw unreadable(validated.unreadable);

    const caller = callers.get(request) ?? anyone;
    const once = onceOf(request, name, endpoint, caller, sent);
    const kept = await once?.find();
    if (kept) return replay(reply, kept);

    const call = makeCall({
      validated,
      headers: request.headers,
      caller,
      requestId: request.id,
      client: request.ip,
      once,
      now: nature.now,
      signal: () => AbortSignal.any([request.signal, parts.stopping]),
    });
    try {
      return await send(request, reply, endpoint, call, once, await handler(call));
    } catch (error) {
      // The same key came twice at once: the other one has created it.
      const first = error instanceof Repeated ? await once?.find() : undefined;
      if (first) return replay(reply, first);
      throw error;
    }
  }

  function onceOf(
    request: FastifyRequest,
    name: string,
    endpoint: Endpoint,
    caller: Caller,
    sent: Buffer | undefined,
  ): Once | undefined {
    const key = request.headers["idempotency-key"];
    if (!endpoint.creates || key === undefined) return undefined;
    const environment = request.headers["x-environment-id"];
    return parts.idempotency.once(caller.name, name, String(key), [
      request.url,
      String(environment ?? ""),
      sent,
    ]);
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint: Endpoint,
    call: Call,
    once: Once | undefined,
    answer: Answer<unknown>,
  ): Promise<FastifyReply> {
    if ("messages" in answer) {
      reply.hijack();
      await sendEventStream(reply.raw, { "x-request-id": request.id }, answer.messages);
      return reply;
    }
    if ("stream" in answer) {
      if (answer.etag) reply.header("etag", answer.etag);
      return reply.header("content-type", answer.contentType).send(answer.stream);
    }
    const text = "text" in answer ? answer.text : encodeJson(answer.body);
    if (parts.checkAnswers) assertConforms(endpoint, text);
    if (once) await once.settle(text, answer.version, call.by);
    if ("status" in answer && answer.status) reply.code(answer.status);
    return sendText(reply, text, answer.version);
  }

  function sendText(reply: FastifyReply, text: string, version: number | undefined): FastifyReply {
    if (version !== undefined) reply.header("etag", etag(version));
    return reply.header("content-type", json).send(text);
  }

  function replay(reply: FastifyReply, { text, version }: Kept): FastifyReply {
    return sendText(reply.header("idempotency-replayed", "true"), text, version);
  }

  function sendInvalid(request: FastifyRequest, reply: FastifyReply, entries: Entry[]): FastifyReply {
    // What was sent goes back to its sender and into no log: it may hold secrets.
    log.info(
      { ...line(request, reply), status: 422, places: entries.map(({ type, loc }) => [type, ...loc]) },
      "refused",
    );
    return reply
      .code(422)
      .header("content-type", json)
      .send(encodeJson({ detail: entries }));
  }

  function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, detail, headers, unexpected } = refuse(error);
    if (unexpected) log.error({ ...line(request, reply), err: error }, "failed");
    else log.info({ ...line(request, reply), status, detail, cause: causeOf(error) }, "refused");
    return reply.code(status).headers(headers).header("content-type", json).send(JSON.stringify({ detail }));
  }

  /** An unknown path tells nothing to one who is not known either. */
  async function refuseUnknown(
    request: FastifyRequest,
    reply: FastifyReply,
    error: () => unknown,
  ): Promise<FastifyReply> {
    reply.header("x-request-id", request.id);
    try {
      await guard(request.headers, "viewer");
      return sendRefusal(error(), request, reply);
    } catch (refused) {
      return sendRefusal(refused, request, reply);
    }
  }
}

const line = (request: FastifyRequest, reply: FastifyReply) => ({
  request: request.id,
  method: request.method,
  // The query is left out: people put tokens there by mistake.
  path: request.url.split("?", 1)[0],
  status: reply.statusCode,
});

function causeOf(error: unknown): string | undefined {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : undefined;
}

/** `*` is Fastify's name for the rest of a path; NUL is in no name of ours, and PostgreSQL would refuse it. */
function pathValues(params: Record<string, string>): Record<string, string> {
  const { "*": path, ...named } = params;
  if (Object.values(params).some((value) => value.includes("\0"))) {
    throw notFound("There is nothing at this path.");
  }
  return path === undefined ? params : { ...named, path };
}

function assertConforms(endpoint: Endpoint, text: string): void {
  const read = decodeJson(text);
  const problem = "value" in read ? conforms(endpoint.response, read.value) : "it is not JSON";
  if (problem !== undefined) throw new Error(`The answer of ${endpoint.method} ${endpoint.path}: ${problem}`);
}
