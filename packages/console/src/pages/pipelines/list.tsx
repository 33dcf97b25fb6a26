import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { type Pipeline, usePipelines } from "../../data/pipelines.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { Health } from "./health.tsx";
import { modeText } from "./texts.ts";

const columns: readonly Column<Pipeline>[] = [
  { title: "Health", width: "116px", cell: (pipeline) => <Health pipeline={pipeline} /> },
  {
    title: "Name",
    width: "minmax(200px, 1.5fr)",
    cell: ({ pipeline_id, name }) => (
      <a class="plain" href={hrefOf(`/pipelines/${pipeline_id}`)}>
        {name}
      </a>
    ),
  },
  {
    title: "Problem",
    width: "minmax(200px, 2fr)",
    cell: (pipeline) => {
      const text = problemOf(pipeline);
      return (
        text && (
          <span class="cause" title={text}>
            {text}
          </span>
        )
      );
    },
  },
  { title: "Environment", width: "120px", cell: (pipeline) => environmentNameOf(pipeline.environment_id) },
  { title: "Files", width: "60px", isRight: true, cell: ({ libraries }) => libraries.length },
  {
    title: "Runs",
    width: "130px",
    cell: ({ continuous, stopped }) => (
      <span class="soft">{continuous ? (stopped ? "stopped" : "all the time") : "when started"}</span>
    ),
  },
  {
    title: "Last update",
    width: "minmax(190px, 1fr)",
    cell: ({ latest_updates }) => {
      const [last] = latest_updates ?? [];
      if (!last) return <span class="faint">none yet</span>;
      return (
        <span class="row">
          <Time at={last.end_time ?? last.start_time ?? last.creation_time} />
          {last.validate_only && <span class="faint">{modeText(last)}</span>}
        </span>
      );
    },
  },
];

function problemOf({ error_message, health, latest_updates }: Pipeline): string | undefined {
  if (error_message !== null) return error_message;
  if (health?.status !== "UNHEALTHY") return undefined;
  return (
    latest_updates?.find(({ state, validate_only }) => state === "FAILED" && !validate_only)?.error ?? ""
  );
}

export default function PipelinesPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const { data, error, isLoading, refresh } = usePipelines(environmentName.value, search);
  return (
    <PageLayout title="Pipelines" isFull>
      <ListToolbar what="pipelines" total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="pipelines" />}
      {data &&
        (data.pipelines.length === 0 ? (
          <EmptyState title={search ? "No pipeline has this name" : "There is no pipeline yet"}>
            A pipeline keeps the tables that you declare in SQL up to date. Create one with{" "}
            <code>lakehelm pipelines create</code> or the API.
          </EmptyState>
        ) : (
          <Table
            label="Pipelines"
            columns={columns}
            rows={data.pipelines}
            keyOf={({ pipeline_id }) => pipeline_id}
          />
        ))}
    </PageLayout>
  );
}
