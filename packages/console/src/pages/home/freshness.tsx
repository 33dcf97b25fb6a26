import type { TableFreshness } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { environmentNameOf } from "../../app/permissions.ts";
import { hrefOf } from "../../app/router.ts";
import { pathOfJob, pathOfTable } from "../../data/targets.ts";
import { count } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const columns: readonly Column<TableFreshness>[] = [
  {
    title: "State",
    width: "96px",
    cell: ({ is_late, changed_at }) => (
      <Status value={is_late ? "late" : changed_at === null ? "empty" : "fresh"} />
    ),
  },
  {
    title: "Table",
    width: "minmax(200px, 1.6fr)",
    cell: ({ name, environment_id }) => (
      <a class="plain" href={hrefOf(pathOfTable(name, environmentNameOf(environment_id)))}>
        <code>{name}</code>
      </a>
    ),
  },
  { title: "Environment", width: "110px", cell: (table) => environmentNameOf(table.environment_id) },
  {
    title: "Changed",
    width: "110px",
    cell: ({ changed_at }) => (changed_at ? <Time at={changed_at} /> : <span class="faint">never</span>),
  },
  {
    title: "Due",
    width: "110px",
    cell: ({ due_at }) => (due_at ? <Time at={due_at} /> : <span class="faint">–</span>),
  },
  {
    title: "Written by",
    width: "minmax(160px, 1fr)",
    cell: ({ job_id, job_kind, job_name }) => {
      const path = pathOfJob(job_id, job_name);
      const text = `${job_kind} ${job_name}`;
      return path ? (
        <a class="plain" href={hrefOf(path)}>
          {text}
        </a>
      ) : (
        text
      );
    },
  },
];

interface FreshnessProps {
  readonly tables: readonly TableFreshness[];
  readonly total: number;
}

const mostRows = 12;

/** The tables that jobs write: late ones first. */
export function Freshness({ tables, total }: FreshnessProps): VNode | null {
  const [isWhole, setWhole] = useState(false);
  if (tables.length === 0) return null;
  const late = tables.filter(({ is_late }) => is_late).length;
  return (
    <section class="card" aria-labelledby="freshness">
      <header>
        <h2 id="freshness">Freshness of tables</h2>
        <span class="faint number">
          {late > 0 ? `${count(late)} late of ${count(total)}` : `${count(total)}, none is late`}
        </span>
      </header>
      <Table
        label="Freshness of tables"
        columns={columns}
        rows={isWhole ? tables : tables.slice(0, mostRows)}
        keyOf={({ environment_id, name }) => `${environment_id} ${name}`}
        isAuto
      />
      {tables.length > mostRows && !isWhole && (
        <p class="body">
          <Button onClick={() => setWhole(true)}>
            Show {tables.length < total ? `the first ${count(tables.length)}` : `all ${count(total)}`}
          </Button>
        </p>
      )}
    </section>
  );
}
