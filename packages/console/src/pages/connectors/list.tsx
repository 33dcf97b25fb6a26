import type { Connector } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { useConnectors } from "../../data/connectors.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { TimingText } from "../../ui/timing-text.tsx";
import { directionText, timingOf } from "./texts.ts";

const statuses: readonly Connector["status"][] = ["active", "failing", "paused", "created", "failed"];

const columns: readonly Column<Connector>[] = [
  { title: "Status", width: "116px", cell: ({ status }) => <Status value={status} /> },
  {
    title: "Name",
    width: "minmax(160px, 1.2fr)",
    cell: ({ id, name }) => (
      <a class="plain" href={hrefOf(`/connectors/${id}`)}>
        {name}
      </a>
    ),
  },
  {
    title: "Problem",
    width: "minmax(180px, 2fr)",
    cell: ({ error_message: text }) =>
      text === null ? (
        ""
      ) : (
        <span class="cause" title={text}>
          {text}
        </span>
      ),
  },
  { title: "Moves", width: "minmax(150px, 0.8fr)", cell: (connector) => directionText(connector) },
  { title: "Tables", width: "70px", isRight: true, cell: ({ datasets }) => datasets?.length ?? 0 },
  {
    title: "Runs",
    width: "minmax(180px, 1.2fr)",
    cell: (connector) => (
      <span class="soft">
        <TimingText timing={timingOf(connector)} />
      </span>
    ),
  },
  { title: "Changed", width: "110px", cell: ({ updated_at }) => <Time at={updated_at} /> },
];

export default function ConnectorsPage(): VNode {
  const { query } = place.value;
  const status = chosenStatus(statuses);
  const search = query.get("search") ?? undefined;
  const { data, error, isLoading, refresh } = useConnectors({
    environment: environmentName.value,
    status,
    search,
  });
  return (
    <PageLayout
      title="Connectors"
      isFull
      actions={
        <a class="button primary" href={hrefOf("/connectors/new")}>
          <Icon name="plus" />
          New connector
        </a>
      }
    >
      <ListToolbar what="connectors" statuses={statuses} total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="connectors" />}
      {data &&
        (data.connectors.length === 0 ? (
          <EmptyState
            title={search || status ? "No connector fits these filters" : "There is no connector yet"}
          >
            A connector imports tables into the warehouse, or exports them to another system.
          </EmptyState>
        ) : (
          <Table label="Connectors" columns={columns} rows={data.connectors} keyOf={({ id }) => id} />
        ))}
    </PageLayout>
  );
}
