import { backoffMs } from "./backoff.ts";
import { ApiError } from "./error.ts";
import { chunksOf, messages } from "./event-stream.ts";
import type { Operation } from "./operation.ts";
import type { ClientOptions, FollowLogOptions, FollowOptions } from "./options.ts";
import { prepareRequest, type UntypedCall } from "./request.ts";
import { parseJson } from "./response.ts";
import type { Transport } from "./transport.ts";

interface SequencedEvent {
  readonly sequence: number;
}

/** The server sends a heartbeat every 15 seconds. After three missed heartbeats the connection is closed. */
const defaultIdleMs = 45_000;

export function followEvents(
  readEvents: Operation,
  transport: Transport,
  client: ClientOptions,
  { after = 0, kind, subject, environment, signal, idleMs }: FollowOptions = {},
): AsyncGenerator<SequencedEvent, void, undefined> {
  const followed: Followed<SequencedEvent> = {
    operation: readEvents,
    call: { query: { kind, subject, environment } },
    positionOf: ({ sequence }) => sequence,
  };
  return follow(followed, transport, client, { after, signal, idleMs });
}

interface NumberedLine {
  readonly n: number;
}

/** The lines of a log, until the server says that no more will follow. */
export function followLog(
  readLog: Operation,
  transport: Transport,
  client: ClientOptions,
  { params, after, signal, idleMs }: FollowLogOptions,
): AsyncGenerator<NumberedLine, void, undefined> {
  const followed: Followed<NumberedLine> = {
    operation: readLog,
    call: { params },
    positionOf: ({ n }) => n,
  };
  return follow(followed, transport, client, { after, signal, idleMs });
}

/** A stream of messages with increasing positions. */
interface Followed<Message> {
  readonly operation: Operation;
  readonly call: Pick<UntypedCall, "params" | "query">;
  positionOf(message: Message): number;
}

interface FollowLimits {
  readonly after: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly idleMs: number | undefined;
}

/**
 * Yields each message exactly once: the position advances only after a complete message, a new connection resumes
 * after it, and earlier messages that are sent again are skipped.
 */
async function* follow<Message>(
  { operation, call, positionOf }: Followed<Message>,
  transport: Transport,
  client: ClientOptions,
  { after, signal, idleMs = defaultIdleMs }: FollowLimits,
): AsyncGenerator<Message, void, undefined> {
  let position = after;
  let lastId: string | undefined;
  let wasConnected = false;
  let failures = 0;
  for (;;) {
    const idle = createIdleTimeout(idleMs);
    try {
      const response = await connect(idle.signal);
      wasConnected = true;
      for await (const { id, event, data } of messages(idle.watch(chunksOf(response.body)))) {
        if (event === "end") return;
        const message = parseJson(data, response) as Message;
        const at = positionOf(message);
        if (position !== undefined && at <= position) continue;
        failures = 0;
        position = at;
        lastId = id;
        yield message;
      }
      failures++;
    } catch (error) {
      signal?.throwIfAborted();
      failures++;
      const mayRetry = wasConnected || failures <= (client.retries ?? 2);
      if (isRejection(error) || !mayRetry) throw error;
      await transport.sleep(retryAfterMs(error), signal);
    } finally {
      idle.stop();
    }
    await transport.sleep(backoffMs(failures, transport.random), signal);
  }

  async function connect(timeout: AbortSignal) {
    const query = { after: position, ...call.query };
    const headers = {
      accept: "text/event-stream",
      ...(lastId !== undefined && { "last-event-id": lastId }),
    };
    const request = prepareRequest(operation, { ...call, query, headers }, client.baseUrl, undefined);
    const limits = { signal, timeout: () => timeout };
    return transport.attempt(request, limits, async ({ body, status, headers: responseHeaders }) => {
      if (body === null || !responseHeaders.get("content-type")?.startsWith("text/event-stream")) {
        throw new ApiError("unexpected", "The response is not an event stream.", { status });
      }
      return { body, status, headers: responseHeaders };
    });
  }
}

/** A permanent error. A lost connection, a restart and too many requests are retryable. */
const isRejection = (error: unknown) =>
  error instanceof ApiError && error.status !== undefined && error.status < 500 && error.status !== 429;

const retryAfterMs = (error: unknown) =>
  error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;

/** Aborts a connection that receives nothing for `ms`. */
function createIdleTimeout(ms: number) {
  const controller = new AbortController();
  const expire = () => controller.abort(new Error(`No data for ${ms} ms.`));
  let timer = setTimeout(expire, ms);
  return {
    signal: controller.signal,
    async *watch(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        // The time that the reader takes does not count as idle time of the server.
        clearTimeout(timer);
        yield chunk;
        timer = setTimeout(expire, ms);
      }
    },
    stop() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
