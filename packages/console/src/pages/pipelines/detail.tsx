import type { VNode } from "preact";
import type { PageProps } from "../../app/page-props.ts";
import { environmentNameOf } from "../../app/permissions.ts";
import { place } from "../../app/router.ts";
import {
  type Pipeline,
  type UpdateSummary,
  usePipeline,
  usePipelineGraph,
  useUpdate,
} from "../../data/pipelines.ts";
import { counted } from "../../format/number.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { currentTab, Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { PipelineActions } from "./actions.tsx";
import { GraphTab } from "./graph-tab.tsx";
import { Health } from "./health.tsx";
import { Source } from "./source.tsx";
import { isActive } from "./texts.ts";
import { Updates } from "./updates.tsx";
import { useProgress } from "./use-progress.ts";

const above = [{ title: "Pipelines", path: "/pipelines" }];

export default function PipelinePage({ params }: PageProps): VNode {
  const { data, error, refresh } = usePipeline(params.id ?? "");
  if (data) return <Loaded pipeline={data} />;
  return (
    <PageLayout title="Pipeline" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the pipeline" />}
    </PageLayout>
  );
}

function Loaded({ pipeline }: { pipeline: Pipeline }): VNode {
  const id = pipeline.pipeline_id;
  const { query } = place.value;
  const graph = usePipelineGraph(id, query.get("tab") === "sql" || query.has("table"));
  const latest = pipeline.latest_updates ?? [];
  const writing = latest.find(({ validate_only }) => !validate_only);
  const shownId = place.value.query.get("update") ?? writing?.update_id;
  const update = useUpdate(id, shownId);
  const active = latest.find(isActive);
  useProgress(id, active?.update_id);
  const problems = graph.data?.problems.length ?? 0;
  const tabs = [
    { id: "graph", title: "Graph" },
    { id: "sql", title: problems === 0 ? "SQL" : `SQL (${counted(problems, "problem")})` },
    { id: "updates", title: "Updates" },
  ];
  const tab = currentTab(tabs);
  return (
    <PageLayout
      title={
        <span class="row">
          {pipeline.name} <Health pipeline={pipeline} />
        </span>
      }
      above={above}
      isFull
      actions={<PipelineActions pipeline={pipeline} graph={graph.data} />}
    >
      {pipeline.error_message !== null && (
        <div class="error-box" role="alert">
          <strong>{pipeline.error_message}</strong>
        </div>
      )}
      <Facts pipeline={pipeline} />
      <LastCheck latest={latest} />
      <Tabs label="Parts of the pipeline" tabs={tabs} current={tab} />
      {tab === "graph" && <GraphTab pipeline={pipeline} graph={graph} update={update.data} latest={latest} />}
      {tab === "sql" && <Source pipeline={pipeline} problems={graph.data?.problems} />}
      {tab === "updates" && <Updates pipeline={pipeline} />}
    </PageLayout>
  );
}

function Facts({ pipeline }: { pipeline: Pipeline }): VNode {
  const { continuous, stopped, health } = pipeline;
  return (
    <div class="row wrap soft">
      <span>{environmentNameOf(pipeline.environment_id)}</span>·
      <span>{continuous ? "runs all the time" : "runs when started"}</span>
      {stopped && (
        <>
          ·
          <span>
            stopped by {stopped.by} <Time at={stopped.at} />
            {stopped.reason && `: ${stopped.reason}`}
          </span>
        </>
      )}
      {health?.last_success_time && (
        <>
          ·
          <span>
            last success <Time at={health.last_success_time} />
          </span>
        </>
      )}
      {(health?.consecutive_failures ?? 0) > 0 && (
        <>
          ·<span class="cause">{counted(health?.consecutive_failures ?? 0, "failure")} in a row</span>
        </>
      )}
    </div>
  );
}

/** The result of the newest validation, unless an update has run since. */
function LastCheck({ latest }: { latest: readonly UpdateSummary[] }): VNode | null {
  const [newest] = latest;
  if (!newest?.validate_only) return null;
  if (isActive(newest))
    return (
      <p class="note busy" role="status">
        Validating: nothing is written.
      </p>
    );
  if (newest.state === "COMPLETED")
    return (
      <p class="note good" role="status">
        The validation <Time at={newest.end_time} /> found no problem.
      </p>
    );
  return (
    <div class="error-box" role="alert">
      <strong>The validation found problems</strong>
      <pre class="problem-lines">{newest.error}</pre>
    </div>
  );
}
