import type { Connector } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import type { PageProps } from "../../app/page-props.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { useConnector } from "../../data/connectors.ts";
import { useJob } from "../../data/jobs.ts";
import { useRuns } from "../../data/runs.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { PauseButton } from "../../ui/pause-button.tsx";
import { PausedNote } from "../../ui/paused-note.tsx";
import { RunNowButton, useRunNow } from "../../ui/run-now-button.tsx";
import { Status } from "../../ui/status.tsx";
import { currentTab, Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { TimingText } from "../../ui/timing-text.tsx";
import { RunTable } from "../runs/run-table.tsx";
import { Configuration } from "./configuration.tsx";
import { Datasets } from "./datasets.tsx";
import { Rejects } from "./rejects.tsx";
import { RowsChart } from "./rows-chart.tsx";
import { SchemaChanges } from "./schema-changes.tsx";
import { directionText, timingOf } from "./texts.ts";

const above = [{ title: "Connectors", path: "/connectors" }];
const tabs = [
  { id: "runs", title: "Runs" },
  { id: "tables", title: "Tables" },
  { id: "schema", title: "Schema changes" },
  { id: "rejects", title: "Rejected rows" },
  { id: "configuration", title: "Configuration" },
];

export default function ConnectorPage({ params }: PageProps): VNode {
  const { data, error, refresh } = useConnector(params.id ?? "");
  if (data) return <Loaded connector={data} />;
  return (
    <PageLayout title="Connector" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the connector" />}
    </PageLayout>
  );
}

function Loaded({ connector }: { connector: Connector }): VNode {
  const { data: job } = useJob(connector.workflow_id);
  const runs = useRuns({ job: connector.workflow_id ?? "none" });
  const tab = currentTab(tabs);
  const why =
    connector.workflow_id === null
      ? "It has no job: its platform does not support it."
      : whyNot("operator", job?.environment_id);
  const start = useRunNow(() =>
    api.runJob({
      params: { job_id: connector.workflow_id ?? "" },
      idempotencyKey: crypto.randomUUID(),
    }),
  );
  return (
    <PageLayout
      title={
        <span class="row">
          {connector.name} <Status value={connector.status} />
        </span>
      }
      above={above}
      isFull
      actions={
        <>
          <PauseButton
            name={connector.name}
            isPaused={connector.status === "paused"}
            whyNot={why}
            pause={(body) => api.pauseConnector({ params: { connector_id: connector.id }, body })}
            resume={() => api.resumeConnector({ params: { connector_id: connector.id } })}
          />
          <RunNowButton action={start} whyNot={why} />
        </>
      }
    >
      {start.error && <ErrorBox error={start.error} />}
      {connector.error_message && (
        <div class="error-box" role="alert">
          <strong>{connector.error_message}</strong>
          {connector.failing_since && (
            <p class="request">
              Failing since <Time at={connector.failing_since} />
            </p>
          )}
        </div>
      )}
      <div class="row wrap soft">
        <span>{directionText(connector)}</span>·<TimingText timing={timingOf(connector)} />
        {job && (
          <>
            ·<span>{environmentNameOf(job.environment_id)}</span>
          </>
        )}
        {job?.next_at && !job.paused && (
          <>
            ·
            <span>
              next <Time at={job.next_at} />
            </span>
          </>
        )}
        {job?.paused && <PausedNote pause={job.paused} />}
      </div>
      <Tabs label="Parts of the connector" tabs={tabs} current={tab} />
      {tab === "runs" && runs.data && runs.data.runs.length > 0 && (
        <>
          <RowsChart runs={runs.data.runs} />
          <RunTable runs={runs.data.runs} isOfOneJob />
        </>
      )}
      {tab === "runs" && runs.data?.runs.length === 0 && (
        <EmptyState title="It has not run yet">Run it now, or wait for its schedule.</EmptyState>
      )}
      {tab === "tables" && <Datasets connector={connector} />}
      {tab === "schema" && runs.data && <SchemaChanges runs={runs.data.runs} />}
      {tab === "rejects" && <Rejects connector={connector} whyNot={why} />}
      {tab === "configuration" && (
        <Configuration connector={connector} whyNot={whyNot("operator", job?.environment_id)} />
      )}
    </PageLayout>
  );
}
