import { type Attributes, type EndedSpan, spanKinds } from "./tracer.ts";

export interface ExporterOptions {
  /** The URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the spans are about: name, version and id of this server. */
  readonly resource: Attributes;
  readonly onError: (error: unknown) => void;
  readonly sendEveryMs?: number;
}

/** Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export interface Exporter {
  collect(span: EndedSpan): void;
  stats(): { readonly sent: number; readonly dropped: number };
  /** Sends the waiting spans. */
  stop(): Promise<void>;
}

/** The most spans that wait. A collector that is unavailable must not fill the memory. */
const mostWaiting = 4096;
const mostInRequest = 512;
const timeoutMs = 5000;

export function createExporter(options: ExporterOptions): Exporter {
  const { endpoint, headers, resource, onError, sendEveryMs = 2000 } = options;
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  let waiting: EndedSpan[] = [];
  let sent = 0;
  let dropped = 0;
  let sending: Promise<void> | undefined;

  async function post(spans: readonly EndedSpan[]): Promise<void> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(exportRequest(resource, spans)),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: "error",
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The collector answered with status ${response.status}.`);
      sent += spans.length;
    } catch (error) {
      dropped += spans.length;
      onError(error);
    }
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, mostInRequest);
      waiting = waiting.slice(mostInRequest);
      await post(spans);
    }
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  const timer = setInterval(() => void flush(), sendEveryMs).unref();

  return {
    collect(span) {
      if (waiting.length >= mostWaiting) dropped += 1;
      else waiting.push(span);
    },
    stats: () => ({ sent, dropped }),
    async stop() {
      clearInterval(timer);
      await flush();
      await flush();
    },
  };
}

function exportRequest(resource: Attributes, spans: readonly EndedSpan[]) {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: "lakehelm" }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

const spanOf = ({
  traceId,
  spanId,
  parentId,
  name,
  kind,
  started,
  ended,
  attributes,
  events,
  error,
}: EndedSpan) => ({
  traceId,
  spanId,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: spanKinds[kind],
  startTimeUnixNano: nanoseconds(started),
  endTimeUnixNano: nanoseconds(Math.max(started, ended)),
  attributes: keyValues(attributes),
  ...(events.length > 0 && {
    events: events.map(([event, time]) => ({ name: event, timeUnixNano: nanoseconds(time) })),
  }),
  // In OTLP, status code 2 is an error.
  status: error === undefined ? {} : { code: 2, message: error },
});

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n);
