import type { AutomationDetails } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import type { PageProps } from "../../app/page-props.ts";
import { whyNot } from "../../app/permissions.ts";
import { environmentName } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { useAutomation } from "../../data/automations.ts";
import { useRuns } from "../../data/runs.ts";
import { withShortCommits } from "../../format/commit.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { PauseButton } from "../../ui/pause-button.tsx";
import { PausedNote } from "../../ui/paused-note.tsx";
import { RunNowButton, useRunNow } from "../../ui/run-now-button.tsx";
import { Status } from "../../ui/status.tsx";
import { currentTab, Tabs } from "../../ui/tabs.tsx";
import { TimingText } from "../../ui/timing-text.tsx";
import { RunTable } from "../runs/run-table.tsx";
import { timingOf } from "./definition.ts";
import { DefinitionTab } from "./definition-tab.tsx";
import { ReleasesTab } from "./releases-tab.tsx";
import { TasksTab } from "./tasks-tab.tsx";

const above = [{ title: "Automations", path: "/automations" }];
const tabs = [
  { id: "tasks", title: "Tasks" },
  { id: "definition", title: "Definition" },
  { id: "releases", title: "Releases" },
  { id: "runs", title: "Runs" },
];

export default function AutomationPage({ params }: PageProps): VNode {
  const { data, error, refresh } = useAutomation(params.alias ?? "");
  if (data) return <Loaded details={data} />;
  return (
    <PageLayout title={params.alias ?? "Automation"} above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the automation" />}
    </PageLayout>
  );
}

function Loaded({ details }: { details: AutomationDetails }): VNode {
  const { automation, releases, schedules } = details;
  const { alias } = automation;
  const params = { automation_alias: alias };
  const environment =
    environmentName.value ?? releases[0]?.environment ?? session.value?.default_environment ?? "";
  const release = releases.find((one) => one.environment === environment);
  const schedule = schedules.find((one) => one.environment === environment);
  const runs = useRuns({ job: release?.workflow_id ?? "none" });
  const tab = currentTab(tabs);
  const why = release
    ? whyNot("operator", release.environment_id)
    : `It is not released in the environment ${environment}. Release it first.`;
  const start = useRunNow(() =>
    api.runAutomation({ params, environment, idempotencyKey: crypto.randomUUID() }),
  );
  return (
    <PageLayout
      title={
        <span class="row">
          {alias} <Status value={stateOf(release, schedule)} />
        </span>
      }
      above={above}
      isFull
      actions={
        <>
          <PauseButton
            name={`${alias} in ${environment}`}
            isPaused={schedule?.state === "paused"}
            whyNot={why ?? (schedule?.state === "unscheduled" ? "It has no schedule or trigger." : undefined)}
            pause={(body) => api.setSchedule({ params: { ...params, action: "pause" }, environment, body })}
            resume={() => api.setSchedule({ params: { ...params, action: "resume" }, environment })}
          />
          <RunNowButton action={start} whyNot={why} />
        </>
      }
    >
      {start.error && <ErrorBox error={start.error} />}
      {[release?.error_message, schedule?.problem].map(
        (problem) =>
          problem && (
            <div key={problem} class="error-box" role="alert">
              <strong>{problem}</strong>
            </div>
          ),
      )}
      <div class="row wrap soft">
        {release ? (
          <span>
            {withShortCommits(release.version)} in {environment}
          </span>
        ) : (
          <span>not released in {environment}</span>
        )}
        {schedule && (
          <>
            ·<TimingText timing={timingOf(schedule)} />
          </>
        )}
        {schedule?.override && <PausedNote pause={schedule.override} />}
        {automation.description && (
          <>
            ·<span>{automation.description}</span>
          </>
        )}
      </div>
      <Tabs label="Parts of the automation" tabs={tabs} current={tab} />
      {tab === "tasks" && <TasksTab automation={automation} lastRun={runs.data?.runs[0]} />}
      {tab === "definition" && <DefinitionTab key={alias} details={details} environment={environment} />}
      {tab === "releases" && <ReleasesTab details={details} />}
      {tab === "runs" &&
        (release && runs.data && runs.data.runs.length > 0 ? (
          <RunTable runs={runs.data.runs} isOfOneJob />
        ) : (
          <EmptyState title="It has not run here yet">
            {release ? "Run it now, or wait for its schedule." : `Release it in ${environment} first.`}
          </EmptyState>
        ))}
    </PageLayout>
  );
}

function stateOf(
  release: AutomationDetails["releases"][number] | undefined,
  schedule: AutomationDetails["schedules"][number] | undefined,
): string {
  if (!release) return "not released";
  return schedule?.state === "paused" ? "paused" : "active";
}
