import { DataProblem } from "@lakehelm/engine";
import { loadSqlParser, tableReferences, tokenize } from "@lakehelm/sql";
import { quoteIdentifier } from "@lakehelm/sql/names";
import type { PipelineFlow } from "@lakehelm/sql/pipelines";
import { requireSafe } from "../work/script-statement.ts";

export type SelectFlow = Extract<PipelineFlow, { kind: "select" }>;

/** What a name in a query stands for: a table with its version, perhaps stored under another name, or a query. */
export type Replacement =
  | { readonly table: string; readonly isRenamed: boolean }
  | { readonly query: string };

/** The author's query, with every table that it names replaced. */
export async function replaceTables(
  { select, reads, defaults }: Pick<SelectFlow, "select" | "reads" | "defaults">,
  replace: (name: string) => Promise<Replacement>,
): Promise<string> {
  requireSafe(select);
  const references = tableReferences(await loadSqlParser(), select, reads, defaults);
  const { tokens } = tokenize(select);
  let text = select;
  for (const { table, start, end } of references.toReversed()) {
    const found = await replace(`${table.catalog}.${table.schema}.${table.table}`);
    const next = tokens.find((token) => token.start >= end);
    const hasAlias =
      next !== undefined &&
      (next.kind === "quoted" ||
        (next.kind === "word" && (next.value === "as" || !afterTable.has(next.value))));
    const alias = hasAlias ? "" : ` AS ${quoteIdentifier(table.table)}`;
    const written =
      "query" in found ? `(\n${found.query}\n)${alias}` : `${found.table}${found.isRenamed ? alias : ""}`;
    text = `${text.slice(0, start)}${written}${text.slice(end)}`;
  }
  return text;
}

/** Words after a table that are no alias of it. */
const afterTable = new Set(
  `where group order having limit offset union except intersect minus join inner left right full cross natural semi anti on using
   lateral pivot unpivot tablesample window qualify cluster distribute sort select`.split(/\s+/),
);

export function requireQuery(flow: PipelineFlow | undefined): SelectFlow {
  if (flow?.kind === "select") return flow;
  throw new DataProblem("It has no query.");
}
