import type { PlanOverview } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { usePlans } from "../../data/plans.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { PlanSummary } from "./summary.tsx";

const statuses: readonly PlanOverview["status"][] = [
  "planned",
  "needs_approval",
  "approved",
  "refused",
  "applying",
  "applied",
  "failed",
  "stale",
];

const columns: readonly Column<PlanOverview>[] = [
  {
    title: "Status",
    width: "156px",
    cell: ({ status, status_reason }) => <Status value={status} title={status_reason ?? undefined} />,
  },
  {
    title: "Project",
    width: "minmax(110px, 1fr)",
    cell: ({ id, project_name }) => (
      <a class="plain" href={hrefOf(`/plans/${id}`)}>
        {project_name}
      </a>
    ),
  },
  { title: "Environment", width: "104px", cell: ({ environment }) => environment },
  { title: "Changes", width: "minmax(190px, 1.2fr)", cell: (plan) => <PlanSummary summary={plan.summary} /> },
  {
    title: "Findings",
    width: "80px",
    isRight: true,
    cell: ({ summary }) => (summary.findings > 0 ? summary.findings : ""),
  },
  {
    title: "Commit",
    width: "92px",
    cell: ({ project }) => <span class="mono">{project.commit?.slice(0, 10) ?? "–"}</span>,
  },
  { title: "Made by", width: "minmax(120px, 0.8fr)", cell: ({ created_by }) => created_by },
  { title: "Made", width: "92px", cell: ({ created_at }) => <Time at={created_at} /> },
  { title: "Applied", width: "100px", cell: ({ applied_at }) => <Time at={applied_at} /> },
];

export default function PlansPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const status = chosenStatus(statuses);
  const { data, error, isLoading, refresh } = usePlans({
    environment: environmentName.value,
    status,
    search,
  });
  return (
    <PageLayout title="Plans" isFull>
      <ListToolbar what="plans" statuses={statuses} total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="plans" />}
      {data &&
        (data.plans.length === 0 ? (
          <EmptyState title={search || status ? "No plan fits these filters" : "There is no plan yet"}>
            A plan shows what brings an environment to what a project defines, before anything happens. Make
            one in the folder of your project: <code>lakehelm plan --env staging</code>.
          </EmptyState>
        ) : (
          <Table label="Plans" columns={columns} rows={data.plans} keyOf={({ id }) => id} />
        ))}
    </PageLayout>
  );
}
