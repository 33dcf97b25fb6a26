import type { Run } from "@lakehelm/contract";
import type { SpanContext } from "./tracer.ts";

/** The caller's span by the header `traceparent` (W3C Trace Context), and whether the caller collects its trace. */
export function readTraceParent(
  header: unknown,
): (SpanContext & { readonly isSampled: boolean }) | undefined {
  if (typeof header !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(header.slice(0, 512)) ?? [];
  if (version === undefined || version === "ff" || isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const isZero = (id: string) => /^0+$/.test(id);

/**
 * The span of a run. Its ids are those of the run, so that every server finds the same ones, and a user finds the trace of
 * a run. A run that an automation started belongs to the trace of the automation's run.
 */
export function spanOfRun({ id, cause }: Pick<Run, "id" | "cause">): SpanContext & {
  readonly parentId: string | undefined;
} {
  const parent = cause.automation?.run_id;
  return {
    traceId: digitsOf(parent ?? id),
    spanId: digitsOf(id).slice(16),
    parentId: parent === undefined ? undefined : digitsOf(parent).slice(16),
  };
}

const digitsOf = (id: string) => id.replaceAll("-", "");
