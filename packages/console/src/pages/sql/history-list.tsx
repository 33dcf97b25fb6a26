import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { count } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { history, type Past } from "./history.ts";

const pathOf = ({ sql, environment, dialect }: Past) =>
  `/sql?${new URLSearchParams({ sql, env: environment, ...(dialect === "duckdb" && { dialect }) })}`;

const columns: readonly Column<Past>[] = [
  {
    title: "Status",
    width: "110px",
    cell: ({ problem }) => (
      <Status
        value={problem === undefined ? "succeeded" : problem === "Cancelled" ? "cancelled" : "failed"}
      />
    ),
  },
  {
    title: "Query",
    width: "minmax(240px, 3fr)",
    cell: (past) => (
      <a class="plain mono" href={hrefOf(pathOf(past))} title={past.sql}>
        {past.sql.replace(/\s+/g, " ").trim()}
      </a>
    ),
  },
  { title: "Environment", width: "120px", cell: ({ environment }) => environment },
  { title: "When", width: "110px", cell: ({ at }) => <Time at={at} /> },
  {
    title: "Took",
    width: "90px",
    isRight: true,
    cell: ({ seconds }) => (seconds === undefined ? "" : duration(seconds * 1_000)),
  },
  {
    title: "Rows",
    width: "100px",
    isRight: true,
    cell: ({ rows, more }) => (rows === undefined ? "" : `${count(rows)}${more ? "+" : ""}`),
  },
  {
    title: "Problem",
    width: "minmax(160px, 2fr)",
    cell: ({ problem }) => problem && problem !== "Cancelled" && <span class="cause">{problem}</span>,
  },
];

/** The statements since the page was loaded. Each leads back to the editor. */
export function HistoryList(): VNode {
  if (history.value.length === 0)
    return (
      <EmptyState title="Nothing was run yet">
        The queries of this session appear here. A reload forgets them.
      </EmptyState>
    );
  return (
    <Table label="History" columns={columns} rows={history.value} keyOf={({ at, sql }) => `${at} ${sql}`} />
  );
}
