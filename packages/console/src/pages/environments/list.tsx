import type { Environment } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { whyNot } from "../../app/permissions.ts";
import { hrefOf, navigate, place } from "../../app/router.ts";
import { useEnvironments } from "../../data/environments.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { EnvironmentForm } from "./form.tsx";

const statuses = ["active", "inactive"] as const;

const columns: readonly Column<Environment>[] = [
  {
    title: "Status",
    width: "116px",
    cell: ({ isActive }) => <Status value={isActive ? "active" : "inactive"} />,
  },
  {
    title: "Name",
    width: "minmax(140px, 1fr)",
    cell: ({ id, name }) => (
      <a class="plain" href={hrefOf(`/environments/${id}`)}>
        {name}
      </a>
    ),
  },
  {
    title: "Protected",
    width: "100px",
    cell: (environment) => (environment.protected ? <Status value="protected" /> : ""),
  },
  { title: "Platform", width: "110px", cell: ({ platform }) => platform },
  { title: "Branch", width: "110px", cell: ({ targetGitBranch }) => targetGitBranch ?? "–" },
  {
    title: "Description",
    width: "minmax(160px, 2fr)",
    cell: ({ description }) => <span class="soft">{description ?? ""}</span>,
  },
  { title: "Changed", width: "100px", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    title: "By",
    width: "minmax(100px, 0.8fr)",
    cell: ({ updatedBy, createdBy }) => updatedBy ?? createdBy ?? "–",
  },
];

export default function EnvironmentsPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const status = chosenStatus(statuses);
  const { data, error, isLoading, refresh } = useEnvironments(search, status);
  const [isOpen, setOpen] = useState(false);
  return (
    <PageLayout
      title="Environments"
      isFull
      actions={
        <Button kind="primary" onClick={() => setOpen(true)} whyNot={whyNot("operator")}>
          <Icon name="plus" />
          New environment
        </Button>
      }
    >
      <ListToolbar what="environments" statuses={statuses} total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="environments" />}
      {data &&
        (data.environments.length === 0 ? (
          <EmptyState
            title={search || status ? "No environment fits these filters" : "You see no environment yet"}
          >
            Connectors, pipelines, flows and their tables live in an environment, such as staging or prod. An
            admin gives you a role in one.
          </EmptyState>
        ) : (
          <Table label="Environments" columns={columns} rows={data.environments} keyOf={({ id }) => id} />
        ))}
      {isOpen && (
        <EnvironmentForm
          onClose={() => setOpen(false)}
          onSaved={({ id }) => navigate(`/environments/${id}?check=now`)}
        />
      )}
    </PageLayout>
  );
}
