import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { counted } from "../../format/number.ts";
import { JobsTimeline } from "../runs/jobs-timeline.tsx";

const mostRows = 40;

const dayMs = 86_400_000;

/** The runs of the last 24 hours. */
export function DayTimeline({ runs: known }: { runs: readonly Run[] }): VNode | null {
  const runs = known.filter(({ queued_at }) => Date.parse(queued_at) > Date.now() - dayMs);
  if (runs.length === 0) return null;
  const jobs = new Set(runs.map(({ job_id }) => job_id)).size;
  return (
    <section class="card">
      <header>
        <h2>Last 24 hours</h2>
        <span class="faint">
          {runs.length >= 1000 ? "the newest 1,000 runs and all that failed," : counted(runs.length, "run")}{" "}
          of {counted(jobs, "job")}
        </span>
        <span class="grow" />
        <a href={hrefOf("/runs?view=timeline")}>All runs over time</a>
      </header>
      <div class="body">
        <JobsTimeline runs={runs} hours={24} mostRows={mostRows} />
      </div>
    </section>
  );
}
