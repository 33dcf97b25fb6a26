import type { VNode } from "preact";
import { environmentName, hrefOf } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { useOverview } from "../../data/overview.ts";
import { count } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Attention } from "./attention.tsx";
import { attentionOf } from "./attention-items.ts";
import { DayTimeline } from "./day-timeline.tsx";
import { EnvironmentCards } from "./environment-cards.tsx";
import { Freshness } from "./freshness.tsx";
import { Running } from "./running.tsx";

/** Items that need attention first; then active runs, the freshness of tables, and the runs of the last 24 hours. */
export default function HomePage(): VNode {
  const environment = environmentName.value;
  const { data, error, refresh } = useOverview(environment);
  if (!data) {
    return (
      <PageLayout title="Home">
        {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the state of everything" />}
      </PageLayout>
    );
  }
  if (data.jobs_total === 0 && data.refused_total === 0) return <FirstSteps />;
  const { jobs, runs } = data;
  const environments = (session.value?.environments ?? []).filter(
    ({ name }) => environment === undefined || name === environment,
  );
  const affected = new Map(data.affected.map((one) => [one.job_id, one]));
  return (
    <PageLayout title="Home">
      {data.disk.is_low && <LowDisk freeBytes={data.disk.free_bytes} />}
      <EnvironmentCards
        environments={environments}
        jobs={jobs}
        runs={runs}
        tables={data.tables}
        refused={data.refused}
        refusedTotal={data.refused_total}
      />
      {jobs.length < data.jobs_total && (
        <p class="soft" role="status">
          This page is about {count(jobs.length)} of {count(data.jobs_total)} jobs. Choose an environment to
          see its jobs.
        </p>
      )}
      <div class="columns">
        <Attention
          items={attentionOf(jobs, runs, Date.now())}
          refused={data.refused}
          refusedTotal={data.refused_total}
          affected={affected}
        />
        <Running runs={runs} jobs={jobs} />
      </div>
      <DayTimeline runs={runs} />
      <Freshness tables={data.tables} total={data.tables_total} />
    </PageLayout>
  );
}

function LowDisk({ freeBytes }: { freeBytes: number }): VNode {
  return (
    <section class="verdict warn" aria-label="Disk">
      <div class="grow">
        <strong>No run starts: the server's disk is nearly full</strong>
        <p>
          It has {count(Math.floor(freeBytes / 1024 / 1024))} MB of free space. Queued runs start when there
          is more (<code>PLATFORM_DISK_RESERVE_MB</code>).
        </p>
      </div>
    </section>
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
