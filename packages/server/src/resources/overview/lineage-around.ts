import type { TableLineage } from "@lakehelm/contract";
import { kindOfNode, nameOfNode } from "../plans/lineage.ts";

/** A resource with the tables that it reads and writes. */
interface ResourceLinks {
  readonly node: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const mostEachWay = 200;
/** Names of tables have no case. */
const idOfTable = (name: string) => `table/${name.toLowerCase()}`;

/** The nodes before and after a table, nearest first, with the ways between them. */
export function lineageAround(
  table: string,
  links: readonly ResourceLinks[],
  jobOf: (node: string) => string | null,
): Pick<TableLineage, "nodes" | "edges" | "is_complete"> {
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  const connect = (from: string, to: string) => {
    before.getOrInsertComputed(to, () => []).push(from);
    after.getOrInsertComputed(from, () => []).push(to);
  };
  for (const { node, reads, writes } of links) {
    const written = new Set(writes.map(idOfTable));
    for (const id of written) connect(node, id);
    // A pipeline reads tables that it writes itself: they do not come from outside.
    for (const id of new Set(reads.map(idOfTable)).difference(written)) connect(id, node);
  }
  const start = idOfTable(table);
  const ids = new Set([start]);
  const edges: { from: string; to: string }[] = [];
  let isComplete = true;
  for (const isUp of [true, false]) {
    const seen = new Set([start]);
    for (const id of seen) {
      for (const other of (isUp ? before : after).get(id) ?? []) {
        if (!seen.has(other) && seen.size > mostEachWay) {
          isComplete = false;
          continue;
        }
        seen.add(other);
        ids.add(other);
        edges.push(isUp ? { from: other, to: id } : { from: id, to: other });
      }
    }
  }
  const nodes = [...ids].map((id) =>
    id.startsWith("table/")
      ? { id, kind: "table" as const, name: nameOfNode(id), job_id: null }
      : { id, kind: kindOfNode(id), name: nameOfNode(id), job_id: jobOf(id) },
  );
  return { nodes, edges, is_complete: isComplete };
}
