import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import type { PageProps } from "../../app/page-props.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import { hrefOf, navigate } from "../../app/router.ts";
import { useDownstream } from "../../data/overview.ts";
import { refreshRuns, useRun, useRuns } from "../../data/runs.ts";
import { causeText, pathOfJob } from "../../data/targets.ts";
import { count } from "../../format/number.ts";
import { Affected } from "../../ui/affected.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { LogView } from "../../ui/log-view.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { RunDuration } from "../../ui/run-duration.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { Metrics } from "./metrics.tsx";
import { RunTimeline } from "./timeline.tsx";

const above = [{ title: "Runs", path: "/runs" }];
/** The number of names shown of the tables or files that started the run. */
const mostNames = 5;

export default function RunPage({ params }: PageProps): VNode {
  const { data: run, error, refresh } = useRun(params.id ?? "");
  if (error && !run) {
    return (
      <PageLayout title="Run" above={above}>
        <ErrorBox error={error} retry={refresh} />
      </PageLayout>
    );
  }
  if (!run) {
    return (
      <PageLayout title="Run" above={above}>
        <Loading what="the run" />
      </PageLayout>
    );
  }
  return <Loaded run={run} />;
}

const hasEnded = ({ status }: Run) => status !== "queued" && status !== "running";

function Loaded({ run }: { run: Run }): VNode {
  const path = pathOfJob(run.job_id, run.name);
  const newest = useRuns({ job: run.job_id }, 20).data;
  const others = newest?.runs ?? [];
  const isBefore = ({ queued_at }: Run) => queued_at < run.queued_at;
  // If this run is old, the run before it is not among the newest runs and is read separately.
  const isOld = newest !== undefined && newest.next_cursor !== null && !others.some(isBefore);
  const older = useRuns({ job: run.job_id, before: run.id }, 1, isOld).data?.runs ?? [];
  const before = others.find(isBefore) ?? older[0];
  const recovery = others.findLast(
    ({ queued_at, status }) => status === "succeeded" && queued_at > run.queued_at,
  );
  const why = whyNot("operator", run.environment_id);
  const cancel = useAction(async () => {
    await api.cancelRun({ params: { run_id: run.id } });
    refreshRuns();
    notify("The run is being cancelled.");
  });
  const retry = useAction(async () => {
    const next = await api.retryRun({ params: { run_id: run.id }, idempotencyKey: crypto.randomUUID() });
    refreshRuns();
    navigate(`/runs/${next.id}`);
  });
  return (
    <PageLayout
      title={
        <span class="row">
          {run.name ?? run.id} <Status value={run.status} />
        </span>
      }
      above={above}
      actions={
        <>
          {path && (
            <a class="button" href={hrefOf(path)}>
              <Icon name="open" />
              Open {run.kind}
            </a>
          )}
          {hasEnded(run) ? (
            <Button
              kind="primary"
              onClick={() => void retry.run()}
              isBusy={retry.isRunning}
              whyNot={
                why ??
                (run.status === "succeeded" ? "It has succeeded: there is nothing to retry." : undefined)
              }
            >
              <Icon name="retry" />
              Retry
            </Button>
          ) : (
            <Button kind="danger" onClick={() => void cancel.run()} isBusy={cancel.isRunning} whyNot={why}>
              <Icon name="stop" />
              Cancel
            </Button>
          )}
        </>
      }
    >
      {(cancel.error ?? retry.error) && <ErrorBox error={(cancel.error ?? retry.error) as Error} />}
      {run.error !== null && (
        <div class="error-box" role="alert">
          <strong>{run.status === "failed" ? "Why it failed" : "Note"}</strong>
          <p>{run.error}</p>
        </div>
      )}
      {run.status === "failed" && !recovery && <AffectedCard run={run} />}
      {run.status === "failed" && recovery && (
        <p role="status">
          A later run <a href={hrefOf(`/runs/${recovery.id}`)}>succeeded</a>, <Time at={recovery.ended_at} />:
          what depends on it is no longer affected.
        </p>
      )}
      <div class="columns">
        <section class="card">
          <header>
            <h2>Timeline</h2>
          </header>
          <div class="body">
            <RunTimeline run={run} />
          </div>
        </section>
        <section class="card" aria-labelledby="facts">
          <header>
            <h2 id="facts">Facts</h2>
          </header>
          <dl class="facts body">
            <dt>Cause</dt>
            <dd>
              <Cause cause={run.cause} />
            </dd>
            <dt>Environment</dt>
            <dd>{environmentNameOf(run.environment_id)}</dd>
            <dt>Queued</dt>
            <dd>
              <Time at={run.queued_at} absolute />
            </dd>
            <dt>Duration</dt>
            <dd>
              <RunDuration run={run} />
            </dd>
            <dt>Attempt</dt>
            <dd>{run.attempt}</dd>
            {run.cancelled && (
              <>
                <dt>Cancelled</dt>
                <dd>
                  by {run.cancelled.by}, <Time at={run.cancelled.at} />
                </dd>
              </>
            )}
            {run.quiet && run.quiet.runs > 1 && (
              <>
                <dt>Stands for</dt>
                <dd>
                  {count(run.quiet.runs)} runs in a row that moved nothing, since{" "}
                  <Time at={run.quiet.since} />
                </dd>
              </>
            )}
            {before && (
              <>
                <dt>Run before</dt>
                <dd class="row">
                  <a href={hrefOf(`/runs/${before.id}`)}>
                    <Time at={before.queued_at} />
                  </a>
                  <Status value={before.status} />
                  <RunDuration run={before} />
                </dd>
              </>
            )}
            <dt>Id</dt>
            <dd class="mono">{run.id}</dd>
          </dl>
        </section>
      </div>
      <Metrics run={run} before={before} />
      <LogView runId={run.id} name={run.name ?? run.id} />
    </PageLayout>
  );
}

/** The cause of the run, with the run, the tables or the files that started it. */
function Cause({ cause }: { cause: Run["cause"] }): VNode {
  const { automation, retry_of, tables = [], files = [] } = cause;
  const text = causeText(cause);
  if (automation)
    return (
      <>
        task {automation.task} of <a href={hrefOf(`/runs/${automation.run_id}`)}>a run of an automation</a>
      </>
    );
  if (retry_of)
    return (
      <>
        {text}, after <a href={hrefOf(`/runs/${retry_of}`)}>this run</a>
      </>
    );
  const names = [...tables, ...files];
  if (names.length === 0) return <>{text}</>;
  return (
    <span title={names.join("\n")}>
      {text}: {names.slice(0, mostNames).join(", ")}
      {names.length > mostNames && ` and ${names.length - mostNames} more`}
    </span>
  );
}

/** The resources that keep their old rows until a run of the job succeeds. */
function AffectedCard({ run }: { run: Run }): VNode | null {
  const { data } = useDownstream(run.job_id, true);
  if (!data || (data.items.length === 0 && data.unknown.length === 0)) return null;
  return (
    <section class="card" aria-labelledby="affected">
      <header>
        <h2 id="affected">What it affects</h2>
        <span class="faint">These keep their old rows until a run succeeds.</span>
      </header>
      <div class="body stack">
        <Affected
          items={data.items}
          total={data.items_total}
          most={20}
          environment={environmentNameOf(run.environment_id)}
        />
        {data.unknown.length > 0 && (
          <p class="soft">Not known for these pipelines: {data.unknown.join(", ")}.</p>
        )}
      </div>
    </section>
  );
}
