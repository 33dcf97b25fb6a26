import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { hrefOf } from "../../app/router.ts";
import { causeText } from "../../data/targets.ts";
import { count } from "../../format/number.ts";
import { RunDuration } from "../../ui/run-duration.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const columns: readonly Column<Run>[] = [
  { title: "Status", width: "128px", cell: ({ status }) => <Status value={status} /> },
  {
    title: "Name",
    width: "minmax(150px, 1.2fr)",
    cell: ({ id, name }) => (
      <a class="plain" href={hrefOf(`/runs/${id}`)}>
        {name ?? id}
      </a>
    ),
  },
  { title: "Queued", width: "110px", cell: ({ queued_at }) => <Time at={queued_at} /> },
  { title: "Duration", width: "90px", isRight: true, cell: (run) => <RunDuration run={run} /> },
  {
    title: "Error",
    width: "minmax(180px, 2fr)",
    cell: ({ error }) =>
      error === null ? (
        ""
      ) : (
        <span class="cause" title={error}>
          {error}
        </span>
      ),
  },
  { title: "Kind", width: "90px", cell: ({ kind }) => <span class="soft">{kind ?? "–"}</span> },
  { title: "Environment", width: "110px", cell: (run) => environmentNameOf(run.environment_id) },
  { title: "Rows", width: "90px", isRight: true, cell: ({ metrics }) => rowsOf(metrics) },
  {
    title: "Cause",
    width: "minmax(120px, 1fr)",
    cell: ({ cause, quiet }) => {
      const text =
        quiet && quiet.runs > 1 ? `${causeText(cause)}, ${count(quiet.runs)} times` : causeText(cause);
      return (
        <span class="soft" title={text}>
          {text}
        </span>
      );
    },
  },
];

const rowsOf = (metrics: Run["metrics"]) => {
  const value = metrics.rows_read ?? metrics.rows;
  return typeof value === "number" ? count(value) : "";
};

interface RunTableProps {
  readonly runs: readonly Run[];
  readonly onEnd?: (() => void) | undefined;
  readonly isAuto?: boolean;
  /** Leaves out the columns that are the same for all runs of one job. */
  readonly isOfOneJob?: boolean;
}

export function RunTable({ runs, onEnd, isAuto, isOfOneJob }: RunTableProps): VNode {
  const shown = isOfOneJob
    ? columns.filter(({ title }) => title !== "Kind" && title !== "Environment")
    : columns;
  return (
    <Table
      label="Runs"
      columns={shown}
      rows={runs}
      keyOf={(run) => run.id}
      onEnd={onEnd}
      {...(isAuto && { isAuto })}
    />
  );
}
