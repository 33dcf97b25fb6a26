import type { Agent } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { useAgents } from "../../data/agents.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

/** The items of the chosen environment, or of all environments. */
const shown = <T extends { readonly environment_id: string }>(items: readonly T[]) => {
  const chosen = environmentName.value;
  return items.filter(
    ({ environment_id }) => chosen === undefined || environmentNameOf(environment_id) === chosen,
  );
};

const columns: readonly Column<Agent>[] = [
  {
    title: "Name",
    width: "minmax(160px, 1fr)",
    cell: ({ id, name }) => (
      <a class="plain" href={hrefOf(`/agents/${id}`)}>
        {name}
      </a>
    ),
  },
  {
    title: "Endpoint",
    width: "minmax(200px, 1.2fr)",
    cell: ({ components }) => {
      const endpoints = shown(components).filter(({ component }) => component === "agent_endpoint");
      if (endpoints.length === 0) return <span class="faint">never started</span>;
      return (
        <span class="row">
          {endpoints.map(({ environment_id, observed_state, message }) => (
            <span key={environment_id} class="row">
              <Status value={observed_state} title={message ?? undefined} />
              <span class="soft">{environmentNameOf(environment_id)}</span>
            </span>
          ))}
        </span>
      );
    },
  },
  {
    title: "Answers in chat",
    width: "minmax(150px, 1fr)",
    cell: ({ releases }) =>
      shown(releases)
        .map(({ version, environment }) => `${version} in ${environment}`)
        .join(", ") || <span class="faint">–</span>,
  },
  {
    title: "Description",
    width: "minmax(180px, 2fr)",
    cell: ({ description }) => <span class="soft">{description}</span>,
  },
  { title: "Changed", width: "110px", cell: ({ updated_at }) => <Time at={updated_at} /> },
];

export default function AgentsPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const { data, error, isLoading, refresh } = useAgents(search);
  return (
    <PageLayout title="Agents" isFull>
      <ListToolbar what="agents" total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="agents" />}
      {data &&
        (data.agents.length === 0 ? (
          <EmptyState title={search ? "No agent fits this search" : "There is no agent yet"}>
            An agent answers questions with code of yours. Put its folder into the workspace, and register it
            with <code>lakehelm agents create</code>; then start it, and try it, here.
          </EmptyState>
        ) : (
          <Table label="Agents" columns={columns} rows={data.agents} keyOf={({ id }) => id} />
        ))}
    </PageLayout>
  );
}
