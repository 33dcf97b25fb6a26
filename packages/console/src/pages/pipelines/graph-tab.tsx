import type { PipelineGraph, PipelineUpdate } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { QueryResult } from "../../app/queries.ts";
import { hrefOf, place, setQuery } from "../../app/router.ts";
import type { Pipeline, UpdateSummary } from "../../data/pipelines.ts";
import { counted } from "../../format/number.ts";
import { localTime } from "../../format/time.ts";
import { Graph } from "../../graph/graph.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { RunDuration } from "../../ui/run-duration.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { columnLineage, graphEdges, graphNodes, outcomesByName, tablesByName } from "./table-graph.ts";
import { TablePanel } from "./table-panel.tsx";
import { modeText, rowsText } from "./texts.ts";

interface GraphTabProps {
  readonly pipeline: Pipeline;
  readonly graph: QueryResult<PipelineGraph>;
  /** The update whose numbers are shown. */
  readonly update: PipelineUpdate | undefined;
  readonly latest: readonly UpdateSummary[];
}

/** The tables with what an update did to them. A click shows one, and where its columns come from. */
export function GraphTab({ pipeline, graph, update, latest }: GraphTabProps): VNode {
  const { query } = place.value;
  const chosen = query.get("table") ?? undefined;
  const column = query.get("column") ?? undefined;
  const tables = useMemo(() => tablesByName(graph.data?.tables ?? []), [graph.data]);
  const outcomes = useMemo(() => outcomesByName(update), [update]);
  const nodes = useMemo(() => graphNodes(tables, outcomes), [tables, outcomes]);
  const edges = useMemo(() => graphEdges(tables), [tables]);
  const lineage = useMemo(
    () => (chosen && column ? columnLineage(tables, { table: chosen, column }) : undefined),
    [tables, chosen, column],
  );
  const highlighted = useMemo(
    () => lineage && new Set([chosen ?? "", ...[...lineage.up, ...lineage.down].map(({ table }) => table)]),
    [lineage],
  );
  if (!graph.data) {
    return graph.error ? (
      <ErrorBox error={graph.error} retry={graph.refresh} />
    ) : (
      <Loading what="the graph" />
    );
  }
  const problems = graph.data.problems.length;
  if (nodes.length === 0) {
    return problems > 0 ? (
      <EmptyState
        title={`The code has ${counted(problems, "problem")}`}
        action={<a href={hrefOf(`/pipelines/${pipeline.pipeline_id}?tab=sql`)}>See where</a>}
      >
        No table can be shown before they are solved.
      </EmptyState>
    ) : (
      <EmptyState title="No table is declared">Add a CREATE statement to a file of the pipeline.</EmptyState>
    );
  }
  return (
    <>
      <UpdateBar update={update} latest={latest} />
      {update?.error && !update.validate_only && (
        <div class="error-box" role="alert">
          <pre class="problem-lines">{update.error}</pre>
        </div>
      )}
      <div class="graph-columns">
        <Graph
          label={`Tables of ${pipeline.name}`}
          nodes={nodes}
          edges={edges}
          chosen={chosen}
          highlighted={highlighted}
          onChoose={(id) => setQuery({ table: id, column: undefined })}
        />
        {chosen !== undefined && (
          <TablePanel
            pipeline={pipeline}
            name={chosen}
            table={tables.get(chosen)}
            outcome={outcomes.get(chosen)}
            column={column}
            lineage={lineage}
          />
        )}
      </div>
    </>
  );
}

/** Which update the numbers are of. */
function UpdateBar({ update, latest }: Pick<GraphTabProps, "update" | "latest">): VNode {
  if (!update)
    return <p class="faint">Nothing has run yet: the graph shows the tables that the code declares.</p>;
  const known = latest.filter(({ validate_only }) => !validate_only);
  const options = known.some(({ update_id }) => update_id === update.update_id) ? known : [update, ...known];
  return (
    <div class="toolbar">
      <select
        class="input"
        aria-label="Update"
        value={update.update_id}
        onChange={(event) =>
          setQuery({
            update: event.currentTarget.value === known[0]?.update_id ? undefined : event.currentTarget.value,
          })
        }
      >
        {options.map((one) => (
          <option key={one.update_id} value={one.update_id}>
            {one.update_id === known[0]?.update_id ? "Latest " : ""}
            {modeText(one.update_id === update.update_id ? update : one)}, {localTime(one.creation_time)}
          </option>
        ))}
      </select>
      <Status value={update.state.toLowerCase()} />
      <span class="soft number">{rowsText(update) || "no rows changed"}</span>
      <span class="faint">
        <RunDuration run={{ started_at: update.start_time, ended_at: update.end_time }} />,{" "}
        <Time at={update.end_time ?? update.creation_time} />
      </span>
      <span class="grow" />
      <a href={hrefOf(`/runs/${update.update_id}`)}>Log</a>
    </div>
  );
}
