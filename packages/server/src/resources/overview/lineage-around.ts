import type { TableLineage } from "@lakehelm/contract";
import { turns } from "../../core/concurrency/turns.ts";
import { kindOfNode, type Lineage, nameOfNode } from "../plans/lineage.ts";

const mostEachWay = 200;
/** Names of tables are case-insensitive. */
const idOfTable = (name: string) => `table/${name.toLowerCase()}`;

/** The nodes before and after a table, nearest first, with the edges between them. */
export async function lineageAround(
  table: string,
  resources: Iterable<readonly [node: string, lineage: Lineage]>,
  jobOf: (node: string) => string | null,
): Promise<Pick<TableLineage, "nodes" | "edges" | "is_complete">> {
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  const connect = (from: string, to: string) => {
    before.getOrInsertComputed(to, () => []).push(from);
    after.getOrInsertComputed(from, () => []).push(to);
  };
  const resourceOf = new Map<string, string>();
  const turn = turns();
  for (const [node, lineage] of resources) {
    await turn();
    for (const { id, reads, writes } of partsOf(node, lineage)) {
      resourceOf.set(id, node);
      for (const table of writes) connect(id, table);
      for (const table of reads) connect(table, id);
    }
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
  const nodes = [...ids].map((id) => {
    const node = resourceOf.get(id);
    return node === undefined
      ? { id, kind: "table" as const, name: nameOfNode(id), job_id: null }
      : { id, kind: kindOfNode(node), name: nameOfNode(node), job_id: jobOf(node) };
  });
  return { nodes, edges, is_complete: isComplete };
}

interface Part {
  readonly id: string;
  readonly reads: readonly string[];
  readonly writes: string[];
}

/**
 * Splits a resource so that each table that a part writes comes from all tables that the part reads. Most have one
 * part.
 */
function partsOf(node: string, { paths, waits }: Lineage): readonly Part[] {
  const parts = new Map<string, Part>();
  const add = (table: string | null, reads: readonly string[]) => {
    const from = [...new Set(reads.map(idOfTable))].sort();
    const id = table === null ? node : `${node}#${table}`;
    const part = parts.getOrInsertComputed(JSON.stringify(from), () => ({ id, reads: from, writes: [] }));
    if (table !== null) part.writes.push(idOfTable(table));
  };
  const isRead = new Set(paths.flatMap(({ reads }) => reads));
  const onlyWaits = waits.filter((table) => !isRead.has(table));
  if (onlyWaits.length > 0) add(null, onlyWaits);
  for (const { table, reads } of paths) add(table, reads);
  const [only, ...others] = parts.values();
  return only && others.length === 0 ? [{ ...only, id: node }] : [...parts.values()];
}
