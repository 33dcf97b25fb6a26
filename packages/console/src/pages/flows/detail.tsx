import type { Flow } from "@lakehelm/contract";
import { flowWritesText, lostDeletes } from "@lakehelm/contract/flows";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import type { PageProps } from "../../app/page-props.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { useLineage } from "../../data/catalog.ts";
import { useConnectors } from "../../data/connectors.ts";
import { useFlow } from "../../data/flows.ts";
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
import { LineageGraph } from "../catalog/lineage-graph.tsx";
import { RunTable } from "../runs/run-table.tsx";
import { SqlTab } from "./sql-tab.tsx";
import { TargetColumns } from "./target-columns.tsx";
import { timingOf } from "./texts.ts";

const above = [{ title: "Flows", path: "/flows" }];
const tabs = [
  { id: "runs", title: "Runs" },
  { id: "sql", title: "SQL" },
  { id: "columns", title: "Columns" },
  { id: "lineage", title: "Lineage" },
];

export default function FlowPage({ params }: PageProps): VNode {
  const { data, error, refresh } = useFlow(params.id ?? "");
  if (data) return <Loaded flow={data} />;
  return (
    <PageLayout title="Flow" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the flow" />}
    </PageLayout>
  );
}

function Loaded({ flow }: { flow: Flow }): VNode {
  const { definition } = flow;
  const { data: job } = useJob(flow.workflow_id);
  const tab = currentTab(tabs);
  const may = whyNot("operator", flow.environment_id);
  const why = may ?? (flow.workflow_id === null ? (flow.error_message ?? "It has no job.") : undefined);
  const start = useRunNow(() =>
    api.runJob({
      params: { job_id: flow.workflow_id ?? "" },
      idempotencyKey: crypto.randomUUID(),
    }),
  );
  return (
    <PageLayout
      title={
        <span class="row">
          {flow.name} <Status value={flow.status} />
        </span>
      }
      above={above}
      isFull
      actions={
        <>
          <PauseButton
            name={flow.name}
            isPaused={flow.status === "paused"}
            whyNot={why}
            pause={(body) => api.pauseFlow({ params: { flow_id: flow.id }, body })}
            resume={() => api.resumeFlow({ params: { flow_id: flow.id } })}
          />
          <RunNowButton action={start} whyNot={why} />
        </>
      }
    >
      {start.error && <ErrorBox error={start.error} />}
      {flow.error_message && (
        <div class={flow.status === "warning" ? "error-box warn" : "error-box"} role="alert">
          <strong>{flow.error_message}</strong>
        </div>
      )}
      <LostDeletes flow={flow} />
      <div class="row wrap soft">
        <span class="row">
          publishes <code>{definition.target_name}</code>
        </span>
        ·<span>{flowWritesText(definition)}</span>·<TimingText timing={timingOf(definition)} />·
        <span>{environmentNameOf(flow.environment_id)}</span>
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
      <Tabs label="Parts of the flow" tabs={tabs} current={tab} />
      {tab === "runs" && <Runs flow={flow} />}
      {tab === "sql" && <SqlTab flow={flow} whyNot={may} />}
      {tab === "columns" && <TargetColumns flow={flow} />}
      {tab === "lineage" && <Lineage flow={flow} />}
    </PageLayout>
  );
}

/** Exports that wait for deletes which this flow never makes. */
function LostDeletes({ flow }: { flow: Flow }): VNode | null {
  const { data } = useConnectors({ environment: environmentNameOf(flow.environment_id) });
  const exports = (data?.connectors ?? []).map((one) => ({
    kind: "connector",
    name: one.name,
    definition: { target_type: one.target_type, datasets: one.datasets },
  }));
  const [found] = lostDeletes(
    [...exports, { kind: "flow", name: flow.name, definition: flow.definition }],
    (name) => name.toLowerCase(),
  );
  if (!found) return null;
  return (
    <div class="error-box warn" role="status">
      {found.message}
    </div>
  );
}

function Runs({ flow }: { flow: Flow }): VNode {
  const { data, error, refresh } = useRuns({ job: flow.workflow_id ?? "none" });
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the runs" />;
  if (data.runs.length === 0)
    return <EmptyState title="It has not run yet">Run it now, or wait for what starts it.</EmptyState>;
  return <RunTable runs={data.runs} isOfOneJob />;
}

function Lineage({ flow }: { flow: Flow }): VNode {
  return <LineageGraph lineage={useLineage(flow.environment_id, flow.definition.target_name)} />;
}
