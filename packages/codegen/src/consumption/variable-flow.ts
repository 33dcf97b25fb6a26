import type { ConsumptionFlow, FlowQuery } from "@lakehelm/flows";
import { type NameDefaults, plainName, sqlName } from "@lakehelm/sql/names";
import { variableName } from "../name-variables.ts";

/** The flow with marks for the environment's catalog and schema in every name, also in the caller's SQL. */
export function variableFlow(flow: ConsumptionFlow, defaults: NameDefaults): ConsumptionFlow {
  const sources = flow.sources.map((source) => variableName(source, defaults));
  return {
    ...flow,
    target: variableName(flow.target, defaults),
    sources,
    trigger:
      flow.trigger.kind === "table_update"
        ? { ...flow.trigger, tables: sources.map(plainName) }
        : flow.trigger,
    foreignKeys: flow.foreignKeys.map((key) => ({ ...key, parent: variableName(key.parent, defaults) })),
    matched: variableQuery(flow.matched, defaults),
    unmatched: flow.unmatched && variableQuery(flow.unmatched, defaults),
    recheck: flow.recheck && variableQuery(flow.recheck, defaults),
  };
}

/** Names in the environment's catalog are written in full. Everything else in the text is unchanged. */
function variableQuery(query: FlowQuery, defaults: NameDefaults): FlowQuery {
  const pieces: string[] = [];
  let done = 0;
  for (const { table, start, end } of query.references.toSorted((a, b) => a.start - b.start)) {
    const name = variableName(table, defaults);
    if (name === table || start < done) continue;
    pieces.push(query.text.slice(done, start), sqlName(name));
    done = end;
  }
  return { ...query, text: [...pieces, query.text.slice(done)].join("") };
}
