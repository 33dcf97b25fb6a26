import type { Job, Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { pathOfJob } from "../../data/targets.ts";
import { RunDuration } from "../../ui/run-duration.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";

const most = 8;

/** The active runs, and the next scheduled ones. */
export function Running({ runs, jobs }: { runs: readonly Run[]; jobs: readonly Job[] }): VNode {
  const now = runs.filter(({ status }) => status === "running" || status === "queued");
  const next = jobs
    .filter((job) => job.next_at !== null && !job.paused)
    .sort((one, other) => String(one.next_at).localeCompare(String(other.next_at)))
    .slice(0, most);
  return (
    <div class="stack">
      <section class="card">
        <header>
          <h2>Running</h2>
          <span class="faint number">{now.length}</span>
        </header>
        {now.length === 0 ? (
          <p class="body soft">Nothing is running.</p>
        ) : (
          <ul class="items">
            {now.slice(0, most).map((run) => (
              <li key={run.id} class="row">
                <Status value={run.status} />
                <a class="plain grow clip" href={hrefOf(`/runs/${run.id}`)}>
                  {run.name}
                </a>
                <RunDuration run={run} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="card">
        <header>
          <h2>Next</h2>
        </header>
        {next.length === 0 ? (
          <p class="body soft">No schedule.</p>
        ) : (
          <ul class="items">
            {next.map((job) => (
              <li key={job.id} class="row">
                <a class="plain grow clip" href={hrefOf(pathOfJob(job.id, job.name) ?? "/runs")}>
                  {job.name}
                </a>
                <span class="faint">
                  <Time at={job.next_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
