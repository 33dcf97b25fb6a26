import type { Flow } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { useFlows } from "../../data/flows.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { TimingText } from "../../ui/timing-text.tsx";
import { timingOf } from "./texts.ts";

const statuses: readonly Flow["status"][] = ["active", "warning", "failing", "paused", "created", "failed"];

const columns: readonly Column<Flow>[] = [
  { title: "Status", width: "116px", cell: ({ status }) => <Status value={status} /> },
  {
    title: "Name",
    width: "minmax(150px, 1.2fr)",
    cell: ({ id, name }) => (
      <a class="plain" href={hrefOf(`/flows/${id}`)}>
        {name}
      </a>
    ),
  },
  {
    title: "Problem",
    width: "minmax(150px, 1.6fr)",
    cell: ({ error_message: text }) =>
      text && (
        <span class="cause" title={text}>
          {text}
        </span>
      ),
  },
  {
    title: "Publishes",
    width: "minmax(150px, 1.2fr)",
    cell: ({ definition }) => <code title={definition.target_name}>{definition.target_name}</code>,
  },
  { title: "Environment", width: "110px", cell: (flow) => environmentNameOf(flow.environment_id) },
  {
    title: "Runs",
    width: "minmax(210px, 1fr)",
    cell: ({ definition }) => (
      <span class="soft">
        <TimingText timing={timingOf(definition)} />
      </span>
    ),
  },
  { title: "Changed", width: "100px", cell: ({ updated_at }) => <Time at={updated_at} /> },
];

export default function FlowsPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const status = chosenStatus(statuses);
  const { data, error, isLoading, refresh } = useFlows({
    environment: environmentName.value,
    status,
    search,
  });
  return (
    <PageLayout title="Flows" isFull>
      <ListToolbar what="flows" statuses={statuses} total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="flows" />}
      {data &&
        (data.flows.length === 0 ? (
          <EmptyState title={search || status ? "No flow fits these filters" : "There is no flow yet"}>
            A flow publishes a table from a SELECT, with keys and history. Create one with{" "}
            <code>lakehelm flows create</code> or the API.
          </EmptyState>
        ) : (
          <Table label="Flows" columns={columns} rows={data.flows} keyOf={({ id }) => id} />
        ))}
    </PageLayout>
  );
}
