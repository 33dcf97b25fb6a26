import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { type Deployment, useDeployments } from "../../data/deployments.ts";
import { withShortCommits } from "../../format/commit.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { RunDuration } from "../../ui/run-duration.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const statuses: readonly Deployment["status"][] = ["pending", "running", "succeeded", "failed", "cancelled"];

const columns: readonly Column<Deployment>[] = [
  { title: "Status", width: "128px", cell: ({ status }) => <Status value={status} /> },
  {
    title: "Name",
    width: "minmax(180px, 1.4fr)",
    cell: ({ id, deployment_name }) => (
      <a class="plain" href={hrefOf(`/deployments/${id}`)}>
        {withShortCommits(deployment_name ?? id)}
      </a>
    ),
  },
  { title: "Environment", width: "110px", cell: ({ environment_id: id }) => environmentNameOf(id) },
  { title: "Branch", width: "minmax(90px, 0.8fr)", cell: ({ git_branch }) => git_branch || "–" },
  {
    title: "Commit",
    width: "100px",
    cell: ({ git_commit_sha: sha }) => (
      <span class="mono" title={sha}>
        {sha.slice(0, 10) || "–"}
      </span>
    ),
  },
  { title: "By", width: "minmax(90px, 0.8fr)", cell: ({ initiated_by }) => initiated_by ?? "–" },
  { title: "Created", width: "100px", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: "Duration",
    width: "90px",
    isRight: true,
    cell: ({ started_at, completed_at }) => <RunDuration run={{ started_at, ended_at: completed_at }} />,
  },
  {
    title: "Error",
    width: "minmax(160px, 2fr)",
    cell: ({ error_message: text }) =>
      text === null ? (
        ""
      ) : (
        <span class="cause" title={text}>
          {text}
        </span>
      ),
  },
];

export default function DeploymentsPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const status = chosenStatus(statuses);
  const { data, error, isLoading, refresh } = useDeployments({
    environment: environmentName.value,
    status,
    search,
  });
  return (
    <PageLayout title="Deployments" isFull>
      <ListToolbar what="deployments" statuses={statuses} total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="deployments" />}
      {data &&
        (data.deployments.length === 0 ? (
          <EmptyState
            title={search || status ? "No deployment fits these filters" : "Nothing was deployed yet"}
          >
            Your CI records a deployment with <code>POST /api/v1/deployments/</code>, and a release of an
            automation or agent makes one by itself.
          </EmptyState>
        ) : (
          <Table label="Deployments" columns={columns} rows={data.deployments} keyOf={({ id }) => id} />
        ))}
    </PageLayout>
  );
}
