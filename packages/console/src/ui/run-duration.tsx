import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { between, duration } from "../format/time.ts";

/** The duration of a run so far. */
export function RunDuration({ run }: { run: Pick<Run, "started_at" | "ended_at"> }): VNode {
  if (run.started_at === null) return <span class="faint">–</span>;
  return <span>{duration(between(run.started_at, run.ended_at, Date.now()))}</span>;
}
