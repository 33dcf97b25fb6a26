import type { TableLineage } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { QueryResult } from "../../app/queries.ts";
import { navigate } from "../../app/router.ts";
import { catalogPath } from "../../data/catalog.ts";
import { pathOfJob } from "../../data/targets.ts";
import { Graph } from "../../graph/graph.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";

/** Where a table comes from, and what depends on it. A click opens what was clicked. */
export function LineageGraph({ lineage }: { lineage: QueryResult<TableLineage> }): VNode {
  const { data, error, refresh } = lineage;
  const nodes = useMemo(
    () =>
      (data?.nodes ?? []).map(({ id, kind, name }) => ({
        id,
        title: kind === "table" ? name.slice(name.lastIndexOf(".") + 1) : name,
        note: kind === "table" ? name.slice(0, name.lastIndexOf(".")) : kind,
        ...(kind !== "table" && { isOutside: true }),
      })),
    [data],
  );
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the lineage" />;
  const openNode = (id: string | undefined) => {
    const node = data.nodes.find((one) => one.id === id);
    if (!node) return;
    const [catalog = "", schema = "", name = ""] = node.name.split(".");
    const path =
      node.kind === "table" ? catalogPath({ catalog, schema, name }) : pathOfJob(node.job_id ?? "");
    if (path) navigate(node.kind === "table" ? `${path}?tab=lineage` : path);
  };
  return (
    <>
      {data.unknown.length > 0 && (
        <p class="note warn">
          Something may be missing: the tables of {data.unknown.join(", ")} are not known now.
        </p>
      )}
      {!data.is_complete && <p class="note">Only the nearest 200 in each direction are shown.</p>}
      <div class="graph-columns">
        <Graph
          label="Lineage"
          nodes={nodes}
          edges={data.edges}
          chosen={data.nodes[0]?.id}
          onChoose={openNode}
        />
      </div>
    </>
  );
}
