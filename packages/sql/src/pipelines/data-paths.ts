import type { SqlParser } from "../parser/sql-parser.ts";
import { nodesOf, type PipelineNode } from "./nodes.ts";
import type { PipelineSource } from "./plan.ts";
import { problemList } from "./problem-list.ts";
import { readSource, type SourceRules } from "./source-reader.ts";
import { addOthers, cachingParser, type TableCatalog } from "./table-catalog.ts";
import { readsOf } from "./table-reads.ts";

/** A table and the tables that its own queries read, by their full names. */
export interface DataPath {
  /** Null: the rows of these queries are not stored in a table. */
  readonly table: string | null;
  readonly reads: readonly string[];
}

export interface DataPaths {
  readonly paths: readonly DataPath[];
  /** False: some statements could not be read. */
  readonly isComplete: boolean;
}

/** A limit for all tables together, because a private view is followed for every table that reads it. */
const maxFollowed = 200_000;

/**
 * Which tables read which, from the text alone: no catalog is used, so the result is the same on every platform.
 * Private views of a pipeline are replaced by the tables that they read.
 */
export function dataPathsOf(
  parser: SqlParser,
  sources: readonly PipelineSource[],
  rules: SourceRules,
): DataPaths {
  const found = problemList();
  const reader = noticing(cachingParser(parser));
  const nodes = nodesOf(sources.flatMap((source) => readSource(source, rules, found)));
  const all: TableCatalog = { tables: new Map(), invalid: new Set() };
  addOthers(all, nodes.flatMap(writesOf));
  const reads = new Map(nodes.map((node) => [node, tablesReadBy(reader, node, all)]));
  const hidden = new Map(
    nodes.flatMap((node) =>
      node.kind === "dataset" && node.draft.dataset.isPrivate ? [[node.name, reads.get(node) ?? []]] : [],
    ),
  );
  let left = maxFollowed;
  const paths = new Map<string | null, Set<string>>();
  for (const node of nodes) {
    const [table = null] = writesOf(node);
    if (table !== null && hidden.has(table)) continue;
    const seen = new Set(reads.get(node));
    for (const name of seen) {
      left -= 1;
      if (left > 0) for (const behind of hidden.get(name) ?? []) seen.add(behind);
    }
    const sources = paths.getOrInsertComputed(table, () => new Set());
    for (const name of seen) if (name !== table && !hidden.has(name)) sources.add(name);
  }
  if (paths.get(null)?.size === 0) paths.delete(null);
  return {
    paths: [...paths].map(([table, names]) => ({ table, reads: [...names] })),
    isComplete: found.all([]).length === 0 && !reader.hasFailed && left > 0,
  };
}

const writesOf = (node: PipelineNode): readonly string[] =>
  node.kind === "dataset" ? [node.name] : node.writes;

function tablesReadBy(parser: SqlParser, node: PipelineNode, all: TableCatalog): readonly string[] {
  // A statement about the description of a table does not read its rows.
  if (node.kind === "plain" && node.draft.meaning && !node.draft.query) return [];
  const others: string[] = [];
  readsOf(parser, node, { ...all, onUnknown: (table) => others.push(table) });
  addOthers(all, others);
  return readsOf(parser, node, all);
}

function noticing(parser: SqlParser): SqlParser & { readonly hasFailed: boolean } {
  let hasFailed = false;
  return {
    get hasFailed() {
      return hasFailed;
    },
    parse(text) {
      const parsed = parser.parse(text);
      if (parsed.error !== undefined) hasFailed = true;
      return parsed;
    },
  };
}
