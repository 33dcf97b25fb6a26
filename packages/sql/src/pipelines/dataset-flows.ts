import { plainName } from "../names/table-name.ts";
import type { AnalysisContext } from "./analysis-context.ts";
import type { AnalyzedFlow } from "./analyzed-flow.ts";
import { analyzeAutoCdc } from "./auto-cdc.ts";
import type { QueryDraft } from "./drafts.ts";
import type { DatasetNode } from "./nodes.ts";
import type { PipelineDataset } from "./plan.ts";
import { sliceText } from "./source-text.ts";
import { locationAt, type SourceStatement } from "./statements/statement.ts";
import { incrementalProblem } from "./streams/incremental-query.ts";
import { checkStreams } from "./streams/stream-check.ts";
import { analyzeQueryIn } from "./table-catalog.ts";

/** Analyzes the flows of a dataset: its own query, then its CREATE FLOW statements in the order of the text. */
export function analyzeFlows(
  { draft, flows }: DatasetNode,
  context: AnalysisContext,
): readonly AnalyzedFlow[] {
  const { dataset, query, statement, at } = draft;
  const own = { statement, at, flow: dataset.table.table, once: false, kind: dataset.kind };
  const fromFlows = flows
    .filter(({ isBroken }) => !isBroken)
    .map((flow) => {
      const { input, name, once, target } = flow;
      const about = { statement: flow.statement, at: target.at, flow: name, once, kind: dataset.kind };
      return input.query
        ? analyzeQueryFlow(input.query, about, context)
        : analyzeAutoCdc(flow, input.cdc, plainName(dataset.table), context);
    });
  return [...(query ? [analyzeQueryFlow(query, own, context)] : []), ...fromFlows];
}

interface FlowHead extends Pick<AnalyzedFlow, "statement" | "at"> {
  readonly flow: string;
  readonly once: boolean;
  readonly kind: PipelineDataset["kind"];
}

function analyzeQueryFlow(
  query: QueryDraft,
  { statement, at, flow, once, kind }: FlowHead,
  context: AnalysisContext,
): AnalyzedFlow {
  const { columns, isComplete, tables, diagnostics } = analyzeQueryIn(
    context.parser,
    query,
    statement,
    context.catalog,
    true,
  );
  for (const diagnostic of diagnostics) statement.report(query.at + diagnostic.at, diagnostic.message);
  // A query with errors has no tables, so "reads no stream" would be a second report of the same error.
  if (columns) {
    checkStreams(query, tables, { kind, once }, statement, context);
    checkIncremental(query, statement, once, context);
  }
  const isKnown = isComplete && columns?.every(({ name }) => name !== "") && columns.length > 0;
  const { segments } = sliceText(statement.source, query.at, query.at + query.sql.length);
  return {
    flow: {
      kind: "select",
      name: flow,
      select: query.sql,
      segments,
      reads: tables,
      streams: [...new Set(query.streams.map(({ name }) => name))],
      once,
      defaults: statement.defaults,
      location: locationAt(statement, query.at),
    },
    statement,
    at,
    columns: isKnown ? columns?.map((column) => ({ ...column, at: query.at + column.at })) : undefined,
  };
}

/** A streaming table must have the same rows however its input is split into updates. */
function checkIncremental(
  { sql, at, streams }: QueryDraft,
  statement: SourceStatement,
  once: boolean,
  context: AnalysisContext,
): void {
  const [stream, ...others] = streams;
  if (!stream || others.length > 0 || once) return;
  const wrong = incrementalProblem(context.parser, sql, stream.at - at);
  if (wrong) statement.report(at + wrong.at, wrong.message);
}
