import type { Logger } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Environments } from "../environments/environments.ts";
import { createDrift } from "./drift.ts";
import type { DriftRecord } from "./drift-record.ts";
import { driftHandlers } from "./routes.ts";
import type { DriftSource } from "./source.ts";

interface DriftModuleOptions {
  readonly record: DriftRecord;
  readonly environments: Pick<Environments, "filter" | "actIn">;
  readonly sources: readonly DriftSource[];
  readonly log: Logger;
}

/** Comparing 1,000 jobs takes ten requests: with this pause, that is one request in 30 seconds. */
const pauseMs = 5 * 60_000;
/** The first comparison waits until the first requests after a start have been served. */
const firstMs = 60_000;

export function driftModule(deps: Dependencies, { record, environments, sources, log }: DriftModuleOptions) {
  const rules = createDrift(deps, record, sources);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let last = "";

  async function look(): Promise<void> {
    try {
      const errors = await rules.checkAll(stopping.signal);
      const text = errors.map(({ message }) => message).join(" ");
      // The same errors recur with every comparison until they are fixed: they are logged once.
      if (text !== "" && text !== last) log.warn({ reason: text }, "some environments could not be compared");
      last = text;
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, "resources were not compared with definitions");
    }
    plan(pauseMs);
  }

  function plan(ms: number): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = look();
    }, ms).unref();
  }

  return {
    rules,
    handlers: driftHandlers(rules, environments, deps.system),
    start: () => plan(firstMs),
    async stop() {
      stopping.abort(new Error("This server is stopping."));
      clearTimeout(timer);
      await running;
    },
  };
}
