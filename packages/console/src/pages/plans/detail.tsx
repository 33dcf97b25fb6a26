import type { Plan } from "@lakehelm/contract";
import type { VNode } from "preact";
import type { PageProps } from "../../app/page-props.ts";
import { hrefOf, place } from "../../app/router.ts";
import { usePlan } from "../../data/plans.ts";
import { counted } from "../../format/number.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { usePlanActions } from "./actions.tsx";
import { Findings } from "./findings.tsx";
import { StepDetail } from "./step-detail.tsx";
import { Steps } from "./steps.tsx";
import { PlanSummary } from "./summary.tsx";

const above = [{ title: "Plans", path: "/plans" }];

export default function PlanPage({ params }: PageProps): VNode {
  const { data, error, refresh } = usePlan(params.id ?? "");
  if (data) return <Loaded plan={data} />;
  return (
    <PageLayout title="Plan" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the plan" />}
    </PageLayout>
  );
}

function Loaded({ plan }: { plan: Plan }): VNode {
  const { buttons, dialog, error } = usePlanActions(plan);
  const wanted = Number(place.value.query.get("step"));
  const step =
    plan.steps.find(({ position }) => position === wanted) ??
    plan.steps.find(({ status }) => status === "failed") ??
    plan.steps[0];
  return (
    <PageLayout
      title={
        <span class="row">
          {plan.project_name} in {plan.environment} <Status value={plan.status} />
        </span>
      }
      above={above}
      actions={buttons}
    >
      {error && <ErrorBox error={error} />}
      <Notice plan={plan} />
      <div class="columns">
        <div class="stack loose">
          <Card title="Steps" isFlush actions={<PlanSummary summary={plan.summary} />}>
            {plan.steps.length === 0 ? (
              <p class="body soft">
                Nothing changes: {counted(plan.summary.unchanged, "resource")} of the project, all as it
                defines them.
              </p>
            ) : (
              <Steps steps={plan.steps} current={step?.position} />
            )}
          </Card>
          {step && <StepDetail step={step} findings={plan.findings} />}
        </div>
        <div class="stack loose">
          <Card title="Facts">
            <Facts plan={plan} />
          </Card>
          <Card title="Findings">
            {plan.findings.length === 0 ? (
              <p class="soft">No finding.</p>
            ) : (
              <Findings findings={plan.findings} />
            )}
          </Card>
        </div>
      </div>
      {dialog}
    </PageLayout>
  );
}

const headings: Partial<Record<Plan["status"], string>> = {
  needs_approval: "It needs an approval",
  refused: "It cannot be applied",
  failed: "It stopped at a step that failed",
  stale: "It is stale",
};

/** The reason that stops the plan, or its progress. */
function Notice({ plan }: { plan: Plan }): VNode | null {
  const { summary, status, status_reason } = plan;
  const total = summary.create + summary.update + summary.replace + summary.delete;
  if (status === "applying") {
    return (
      <section class="verdict" role="status" aria-label="Progress">
        <div class="stack grow">
          <strong>
            {summary.done} of {total} changes carried out
          </strong>
          <progress value={summary.done} max={Math.max(1, total)} aria-label="Changes carried out" />
        </div>
      </section>
    );
  }
  const heading = headings[status];
  if (!heading) return null;
  const isBad = status === "refused" || status === "failed";
  return (
    <section class={`verdict ${isBad ? "bad" : "warn"}`} role="status" aria-label="State">
      <div class="grow">
        <strong>{heading}</strong>
        {status_reason && <p>{status_reason}</p>}
      </div>
    </section>
  );
}

function Facts({ plan }: { plan: Plan }): VNode {
  const { project, approved_by, applied_by } = plan;
  return (
    <dl class="facts">
      <dt>Project</dt>
      <dd>{project.name}</dd>
      {project.commit && (
        <>
          <dt>Commit</dt>
          <dd class="mono">
            {project.commit}
            {project.branch ? ` (${project.branch})` : ""}
          </dd>
        </>
      )}
      <dt>Made</dt>
      <dd>
        by {plan.created_by}, <Time at={plan.created_at} />
      </dd>
      <dt>Approved</dt>
      <dd>{approved_by ? <By who={approved_by} at={plan.approved_at} /> : <span class="faint">no</span>}</dd>
      <dt>Applied</dt>
      <dd>{applied_by ? <By who={applied_by} at={plan.applied_at} /> : <span class="faint">no</span>}</dd>
      <dt>Unchanged</dt>
      <dd class="number">{counted(plan.summary.unchanged, "resource")}</dd>
      {plan.summary.drifted > 0 && (
        <>
          <dt>Drifted</dt>
          <dd>
            <a href={hrefOf(`/drift?env=${encodeURIComponent(plan.environment)}`)}>
              {counted(plan.summary.drifted, "resource")}
            </a>
          </dd>
        </>
      )}
      <dt>Prune</dt>
      <dd>{plan.prune ? "yes: also deletes what no project has applied" : "no"}</dd>
      <dt>Hash</dt>
      <dd class="mono" title="Of everything that the plan rests on. Apply compares it.">
        {plan.hash.slice(0, 19)}…
      </dd>
      <dt>Events</dt>
      <dd>
        <a href={hrefOf(`/events?subject=${encodeURIComponent(`plan/${plan.id}`)}`)}>Its history</a>
      </dd>
    </dl>
  );
}

const By = ({ who, at }: { who: string; at: string | null }): VNode => (
  <>
    by {who}
    {at && (
      <>
        , <Time at={at} />
      </>
    )}
  </>
);
