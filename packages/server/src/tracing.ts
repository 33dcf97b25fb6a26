import type { Logger } from "pino";
import { metric } from "./core/metrics/prometheus.ts";
import { createExporter } from "./core/tracing/otlp-exporter.ts";
import { createTracer, type Tracer } from "./core/tracing/tracer.ts";
import type { Executor } from "./runtime/jobs/executor.ts";
import type { RunObserver } from "./runtime/jobs/run-metrics.ts";
import { traceAttempts, traceRun } from "./runtime/jobs/traced-runs.ts";
import { type TraceRequest, traceEngine } from "./runtime/platforms/embedded/traced-engine.ts";
import type { Settings } from "./settings.ts";
import { createRequestTraces, type RequestTraces } from "./web/http/request-traces.ts";

/** Traces of requests and runs. Loaded only if the settings name a collector. */
export interface Tracing {
  readonly requests: RequestTraces;
  readonly engine: TraceRequest;
  attempts(execute: Executor["execute"]): Executor["execute"];
  readonly runEnded: RunObserver["ended"];
  /** In the Prometheus text format. */
  metrics(): string;
  /** Sends the spans that are left. */
  stop(): Promise<void>;
}

interface TracingOptions {
  readonly endpoint: string;
  /** The id of this server. */
  readonly server: string;
  readonly version: string;
  readonly randomBytes: (size: number) => Buffer;
  readonly log: Logger;
}

export function startTracing(settings: Settings, options: TracingOptions): Tracing {
  const { endpoint, server, version, randomBytes, log } = options;
  let loggedMs = Number.NEGATIVE_INFINITY;
  const exporter = createExporter({
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    resource: {
      "service.name": settings.OTEL_SERVICE_NAME,
      "service.version": version,
      "service.instance.id": server,
    },
    onError(error) {
      if (performance.now() - loggedMs < 60_000) return;
      loggedMs = performance.now();
      log.warn({ err: error }, "traces could not be sent to the collector");
    },
  });
  const tracer: Tracer = createTracer({
    collect: exporter.collect,
    clock: () => performance.timeOrigin + performance.now(),
    randomBytes,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  });
  return {
    requests: createRequestTraces(tracer),
    engine: traceEngine(tracer),
    attempts: (execute) => traceAttempts(execute, tracer),
    runEnded: (run, job, ending) => traceRun(tracer, run, job, ending),
    metrics() {
      const { sent, dropped } = exporter.stats();
      return (
        metric("lakehelm_trace_spans_sent_total", "counter", "Spans that the collector has accepted.", sent) +
        metric("lakehelm_trace_spans_dropped_total", "counter", "Spans that could not be sent.", dropped)
      );
    },
    stop: exporter.stop,
  };
}
