import { type Event, readEvents } from "../endpoints/events.ts";
import type { Infer } from "../schema/index.ts";
import { parse } from "./answer.ts";
import { ApiError } from "./error.ts";
import { chunksOf, messages } from "./event-stream.ts";
import { prepare } from "./request.ts";
import type { Transport } from "./transport.ts";
import type { ClientOptions, FollowOptions } from "./types.ts";
import { backoffMs } from "./waiting.ts";

type EventValue = Infer<typeof Event>;

/** The server sends a heartbeat every 15 seconds: three missed ones are a dead connection. */
const longestSilenceMs = 45_000;

/**
 * Neither loses nor doubles: the place in the log moves only when an event has arrived whole, a new connection
 * goes on behind it, and whatever comes again from before it is passed over.
 */
export async function* followEvents(
  transport: Transport,
  client: ClientOptions,
  { after = 0, kind, subject, signal, idleMs = longestSilenceMs }: FollowOptions = {},
): AsyncGenerator<EventValue, void, undefined> {
  let seen = after;
  let lastId: string | undefined;
  let wasConnected = false;
  let failures = 0;
  for (;;) {
    const silence = createSilence(idleMs);
    try {
      const response = await connect(silence.signal);
      wasConnected = true;
      for await (const { id, data } of messages(silence.watch(chunksOf(response.body)))) {
        const event = parse(data, response) as EventValue;
        if (event.sequence <= seen) continue;
        failures = 0;
        seen = event.sequence;
        lastId = id;
        yield event;
      }
      failures++;
    } catch (error) {
      signal?.throwIfAborted();
      failures++;
      const patient = wasConnected || failures <= (client.retries ?? 2);
      if (isRefusal(error) || !patient) throw error;
      await transport.sleep(askedMs(error), signal);
    } finally {
      silence.end();
    }
    await transport.sleep(backoffMs(failures, transport.random), signal);
  }

  async function connect(ending: AbortSignal) {
    const query = { after: seen, kind, subject };
    const headers = {
      accept: "text/event-stream",
      ...(lastId !== undefined && { "last-event-id": lastId }),
    };
    const request = prepare(readEvents, { query, headers }, client.baseUrl, undefined);
    const patience = { signal, timeout: () => ending };
    return transport.attempt(request, patience, async ({ body, status, headers: answered }) => {
      if (body === null || !answered.get("content-type")?.startsWith("text/event-stream")) {
        throw new ApiError("unexpected", "The answer is no stream of events.", { status });
      }
      return { body, status, headers: answered };
    });
  }
}

/** The server does not want this, now or later. Anything else passes: a cut, a restart, too many at once. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status !== undefined && error.status < 500 && error.status !== 429;

const askedMs = (error: unknown) => (error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0);

/** Ends a connection on which nothing arrives any more. */
function createSilence(ms: number) {
  const controller = new AbortController();
  const end = () => controller.abort(new Error(`Nothing came for ${ms} ms.`));
  let timer = setTimeout(end, ms);
  return {
    signal: controller.signal,
    async *watch(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        // A reader who takes long is not a silent server.
        clearTimeout(timer);
        yield chunk;
        timer = setTimeout(end, ms);
      }
    },
    end() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
