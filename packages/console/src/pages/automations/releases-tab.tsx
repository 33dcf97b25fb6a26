import type { AutomationDetails } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { queryClient } from "../../app/queries.ts";
import { hrefOf, place } from "../../app/router.ts";
import { withShortCommits } from "../../format/commit.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { TimingText } from "../../ui/timing-text.tsx";
import { notify } from "../../ui/toasts.tsx";
import { timingOf } from "./definition.ts";
import { ReleaseDiff } from "./release-diff.tsx";

type Release = AutomationDetails["releases"][number];

/** The release in each environment, and whether it has the current definition. */
export function ReleasesTab({ details }: { details: AutomationDetails }): VNode {
  const { automation, releases, schedules } = details;
  const [removed, setRemoved] = useState<Release | undefined>();
  const scheduleOf = ({ environment_id }: Release) =>
    schedules.find((one) => one.environment_id === environment_id);
  const isCurrent = ({ design_content_hash }: Release) =>
    design_content_hash === automation.design_content_hash;
  const columns: readonly Column<Release>[] = [
    { title: "Environment", width: "minmax(120px, 1fr)", cell: ({ environment }) => environment },
    {
      title: "Version",
      width: "minmax(120px, 1fr)",
      cell: ({ version, deployment_id }) =>
        deployment_id ? (
          <a class="plain" href={hrefOf(`/deployments/${deployment_id}`)}>
            {withShortCommits(version)}
          </a>
        ) : (
          withShortCommits(version)
        ),
    },
    {
      title: "Definition",
      width: "110px",
      cell: (release) =>
        isCurrent(release) ? (
          <Status value="current" />
        ) : (
          <Status value="older" title="The definition was changed since." />
        ),
    },
    {
      title: "Schedule",
      width: "120px",
      cell: (release) =>
        release.error_message ? (
          <Status value="error" title={release.error_message} />
        ) : (
          <Status value={scheduleOf(release)?.state ?? "unscheduled"} />
        ),
    },
    {
      title: "Runs",
      width: "minmax(180px, 1.4fr)",
      cell: (release) => {
        const schedule = scheduleOf(release);
        return schedule ? <TimingText timing={timingOf(schedule)} /> : "";
      },
    },
    { title: "Released", width: "110px", cell: ({ activated_at }) => <Time at={activated_at} /> },
    { title: "By", width: "minmax(100px, 1fr)", cell: ({ activated_by }) => activated_by },
    {
      title: "",
      width: "110px",
      isRight: true,
      cell: (release) => (
        <Button
          kind="quiet"
          label={`Remove from ${release.environment}`}
          whyNot={whyNot("operator", release.environment_id)}
          onClick={() => setRemoved(release)}
        >
          Remove
        </Button>
      ),
    },
  ];
  if (releases.length === 0)
    return (
      <EmptyState
        title="It is not released yet"
        action={<a href={hrefOf(`${place.value.path}?tab=definition`)}>Write and release its definition</a>}
      >
        A release makes a definition run in an environment.
      </EmptyState>
    );
  return (
    <>
      <Table label="Releases" columns={columns} rows={releases} keyOf={({ id }) => id} isAuto />
      <ReleaseDiff details={details} />
      {removed && (
        <ConfirmDialog
          title={`Remove ${automation.alias} from ${removed.environment}`}
          confirm="Remove the release"
          onClose={() => setRemoved(undefined)}
          perform={async () => {
            await api.syncAutomationRelease({
              body: {
                automation_alias: automation.alias,
                environment: removed.environment,
                action: "delete",
                metadata: { version: removed.version },
              },
            });
            void queryClient.invalidateQueries();
            notify(`${automation.alias} is no longer released in ${removed.environment}.`);
          }}
        >
          <p>
            Its job is removed: it no longer runs in {removed.environment}. The definition, earlier runs and
            the releases in other environments stay.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
