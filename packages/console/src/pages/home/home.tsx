import type { VNode } from "preact";
import { environmentName, hrefOf } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { useJobs } from "../../data/jobs.ts";
import { useRuns } from "../../data/runs.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Attention } from "./attention.tsx";
import { attentionOf } from "./attention-items.ts";
import { DayTimeline } from "./day-timeline.tsx";
import { EnvironmentCards } from "./environment-cards.tsx";
import { Running } from "./running.tsx";

const dayMs = 86_400_000;
/** Rounded, so that the query stays the same while the page is open. */
const since = () => new Date(Math.floor((Date.now() - dayMs) / 3_600_000) * 3_600_000).toISOString();

/** What needs attention first; then what runs, and what the last 24 hours looked like. */
export default function HomePage(): VNode {
  const environment = environmentName.value;
  const jobs = useJobs(environment);
  const runs = useRuns({ environment, created_after: since() }, 1000);
  const error = jobs.error ?? runs.error;
  if (error) {
    return (
      <PageLayout title="Home">
        <ErrorBox error={error} retry={jobs.refresh} />
      </PageLayout>
    );
  }
  if (!jobs.data || !runs.data) {
    return (
      <PageLayout title="Home">
        <Loading what="the state of everything" />
      </PageLayout>
    );
  }
  if (jobs.data.total === 0) return <FirstSteps />;
  const environments = (session.value?.environments ?? []).filter(
    ({ name }) => environment === undefined || name === environment,
  );
  const items = attentionOf(jobs.data.jobs, runs.data.runs, Date.now());
  return (
    <PageLayout title="Home">
      <EnvironmentCards environments={environments} jobs={jobs.data.jobs} runs={runs.data.runs} />
      <div class="columns">
        <Attention items={items} />
        <Running runs={runs.data.runs} jobs={jobs.data.jobs} />
      </div>
      <DayTimeline jobs={jobs.data.jobs} runs={runs.data.runs} />
    </PageLayout>
  );
}

function FirstSteps(): VNode {
  return (
    <PageLayout title="Home">
      <EmptyState
        title="Nothing is set up here yet"
        action={
          <a class="button primary" href={hrefOf("/connectors/new")}>
            Set up a connector
          </a>
        }
      >
        A connector moves a table from another system into the warehouse, on a schedule. Start with one:
        everything else builds on tables.
      </EmptyState>
    </PageLayout>
  );
}
