import {
  type ConsumptionFlow,
  type FlowQuery,
  keyOf,
  qualityTable,
  recheckedTable,
  targetColumns,
  unmatchedTable,
} from "@lakehelm/flows";
import type { ColumnSource } from "@lakehelm/sql";
import { plainName } from "@lakehelm/sql/names";
import type { Artifact } from "../artifact.ts";

/** The flow as data for catalogs, lineage graphs and readers. */
export function descriptionFile(flow: ConsumptionFlow, path: string): Artifact {
  const { target, trigger, unmatched, recheck } = flow;
  const [published, kept] = [origins(flow.matched, recheck), origins(unmatched)];
  const description = {
    flow: flow.name,
    type: "consumption",
    description: flow.description,
    requested_by: flow.requestedBy,
    warehouse: flow.warehouse,
    trigger: trigger.kind === "schedule" ? { type: "scheduled", ...trigger.schedule } : started(flow),
    target: plainName(target),
    publishing: flow.publishing,
    write_strategy: flow.strategy,
    ...(flow.missingKeys && { max_delete_share: flow.missingKeys.maxShare }),
    ...(flow.strategy === "history" && { close_missing_keys: flow.missingKeys !== null }),
    check_severity: flow.checkSeverity,
    key: keyOf(flow).map(({ name }) => name),
    sequence_by: flow.sequence?.name ?? null,
    business_date_column: flow.businessDate?.name ?? null,
    surrogate_key: flow.surrogateKey,
    reads: flow.sources.map(plainName),
    writes: [
      target,
      ...(unmatched ? [unmatchedTable(target)] : []),
      ...(recheck ? [recheckedTable(target)] : []),
      qualityTable(target),
    ].map(plainName),
    columns: targetColumns(flow).map(({ name, type, notNull }) => ({
      name,
      type: type.sql,
      not_null: notNull,
      ...meaning(flow, name),
      // Columns that the flow adds have no sources.
      from: published.get(name.toLowerCase()) ?? [],
    })),
    ...(unmatched && {
      unmatched: unmatched.columns.map((name) => ({ name, from: kept.get(name.toLowerCase()) ?? [] })),
    }),
  };
  return {
    path,
    content: `${JSON.stringify(description, null, 2)}\n`,
    fileType: "json",
    about: "The flow as data: trigger, key, tables read and written, and the sources of each column.",
  };
}

const started = ({ trigger }: ConsumptionFlow) =>
  trigger.kind === "table_update" ? { type: trigger.kind, tables: trigger.tables } : { type: trigger.kind };

function meaning({ columns, foreignKeys }: ConsumptionFlow, name: string) {
  const column = columns.find((other) => other.name === name);
  const parents = foreignKeys.filter((key) => key.column.name === name);
  return {
    ...(column?.isPersonal && { pii: true }),
    ...(column && column.terms.length > 0 && { glossary_terms: column.terms }),
    ...(parents.length > 0 && {
      refers_to: parents.map(({ parent, parentColumn }) => ({
        table: plainName(parent),
        column: parentColumn,
      })),
    }),
  };
}

/** The sources of each column by its name in lower case, over all queries. */
function origins(...queries: readonly (FlowQuery | null)[]): Map<string, ColumnSource[]> {
  const found = new Map<string, Map<string, ColumnSource>>();
  for (const query of queries) {
    for (const [column, sources] of Object.entries(query?.lineage ?? {})) {
      const known = found.get(column.toLowerCase()) ?? new Map();
      for (const source of sources) known.set(JSON.stringify(source), source);
      found.set(column.toLowerCase(), known);
    }
  }
  return new Map([...found].map(([column, sources]) => [column, [...sources.values()]]));
}
