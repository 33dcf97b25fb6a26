import { AsyncLocalStorage } from "node:async_hooks";

export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export const spanKinds = { internal: 1, server: 2, client: 3 } as const;

/** A span that has ended. Times are milliseconds since 1970, with fractions. */
export interface EndedSpan extends SpanContext {
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: keyof typeof spanKinds;
  readonly started: number;
  readonly ended: number;
  readonly attributes: Attributes;
  readonly events: readonly (readonly [name: string, time: number])[];
  /** Why the span failed. */
  readonly error: string | undefined;
}

interface NewSpan {
  readonly name: string;
  readonly kind: keyof typeof spanKinds;
  readonly traceId: string;
  /** Absent: a new id. */
  readonly spanId?: string | undefined;
  readonly parentId?: string | undefined;
  readonly started?: number | undefined;
  readonly attributes?: Attributes | undefined;
}

interface Span extends SpanContext {
  set(attributes: Attributes): void;
  event(name: string, time: number): void;
  end(options?: { readonly error?: string | undefined; readonly at?: number | undefined }): void;
}

/** Records what the server does, for a collector. No work waits for the tracer. */
export interface Tracer {
  start(span: NewSpan): Span;
  /** Everything that `work` does belongs to the span, also what it does asynchronously. */
  within<T>(span: Span, work: () => T): T;
  /** The span that the current work belongs to. */
  current(): Span | undefined;
  /** Whether the trace is one of those that are collected: the same for all servers. */
  isSampled(traceId: string): boolean;
  newTraceId(): string;
}

export interface TracerOptions {
  readonly collect: (span: EndedSpan) => void;
  /** Milliseconds since 1970, with fractions. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  /** The share of traces that are collected. */
  readonly ratio: number;
}

/** An error may quote a value of any length. */
const maxText = 1000;

export function createTracer({ collect, clock, randomBytes, ratio }: TracerOptions): Tracer {
  const active = new AsyncLocalStorage<Span>();
  const hex = (size: number) => randomBytes(size).toString("hex");

  return {
    start({ name, kind, traceId, spanId = hex(8), parentId, started = clock(), attributes: first = {} }) {
      let attributes = first;
      const events: (readonly [string, number])[] = [];
      let isEnded = false;
      return {
        traceId,
        spanId,
        set(more) {
          attributes = { ...attributes, ...more };
        },
        event: (event, time) => void events.push([event, time]),
        end({ error, at = clock() } = {}) {
          if (isEnded) return;
          isEnded = true;
          const shown = error?.slice(0, maxText);
          collect({
            traceId,
            spanId,
            parentId,
            name,
            kind,
            started,
            ended: at,
            attributes,
            events,
            error: shown,
          });
        },
      };
    },
    within: (span, work) => active.run(span, work),
    current: () => active.getStore(),
    // The last 56 bits are random in ids of W3C trace context and in UUIDs.
    isSampled: (traceId) => ratio >= 1 || Number.parseInt(traceId.slice(-14), 16) < ratio * 2 ** 56,
    newTraceId: () => hex(16),
  };
}
