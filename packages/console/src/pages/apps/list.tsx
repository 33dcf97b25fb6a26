import type { App } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { useApps } from "../../data/apps.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { OpenApp } from "./open-app.tsx";

const statuses: readonly App["observed_state"][] = ["running", "stopped", "pending", "failed"];

const columns: readonly Column<App>[] = [
  { title: "Status", width: "116px", cell: ({ observed_state }) => <Status value={observed_state} /> },
  {
    title: "Name",
    width: "minmax(160px, 1fr)",
    cell: ({ id, name }) => (
      <a class="plain" href={hrefOf(`/apps/${id}`)}>
        {name}
      </a>
    ),
  },
  { title: "Environment", width: "120px", cell: (app) => environmentNameOf(app.environment_id) },
  {
    title: "Description",
    width: "minmax(160px, 1.5fr)",
    cell: ({ description }) => <span class="soft">{description}</span>,
  },
  { title: "Changed", width: "110px", cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    title: "Problem",
    width: "minmax(160px, 1.5fr)",
    cell: ({ message, observed_state }) => (
      <span class={observed_state === "failed" ? "cause" : "soft"} title={message ?? ""}>
        {message ?? ""}
      </span>
    ),
  },
  { title: "", width: "110px", isRight: true, cell: (app) => <OpenApp app={app} /> },
];

export default function AppsPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const status = chosenStatus(statuses);
  const { data, error, isLoading, refresh } = useApps({
    environment: environmentName.value,
    status,
    search,
  });
  return (
    <PageLayout title="Apps" isFull>
      <ListToolbar what="apps" statuses={statuses} total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="apps" />}
      {data &&
        (data.apps.length === 0 ? (
          <EmptyState title={search || status ? "No app fits these filters" : "There is no app yet"}>
            An app is a program of yours with pages, which the server starts and protects. Put its folder into
            the workspace, and register it with <code>lakehelm apps create</code>.
          </EmptyState>
        ) : (
          <Table label="Apps" columns={columns} rows={data.apps} keyOf={({ id }) => id} />
        ))}
    </PageLayout>
  );
}
