import type { RequestOptions } from "@lakehelm/engine";
import type { Tracer } from "../../../core/tracing/tracer.ts";

/** Records a request to the engine. `send` sends it with the given listener. */
export type TraceRequest = <Value>(
  kind: string,
  send: (listeners: Pick<RequestOptions, "onTiming">) => Promise<Value>,
) => Promise<Value>;

/**
 * Requests to the engine belong to the work that makes them: one span from sending a request to its response, and one for
 * what the engine's process did, with the steps that it reached.
 */
export const traceEngine = (tracer: Tracer): TraceRequest =>
  async function traced(kind, send) {
    const parent = tracer.current();
    if (!parent) return send({});
    const { traceId } = parent;
    const span = tracer.start({ name: `engine ${kind}`, kind: "client", traceId, parentId: parent.spanId });
    try {
      const value = await send({
        onTiming({ started, ended, steps }) {
          const attributes = { "lakehelm.process": "engine" };
          const work = {
            name: kind,
            kind: "server",
            traceId,
            parentId: span.spanId,
            started,
            attributes,
          } as const;
          const inside = tracer.start(work);
          for (const [step, time] of steps) inside.event(step, time);
          inside.end({ at: ended });
        },
      });
      span.end();
      return value;
    } catch (error) {
      span.end({ error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };
