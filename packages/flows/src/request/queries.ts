import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { columnNameProblem } from "@lakehelm/contract/connections";
import type { SqlParser } from "@lakehelm/sql";
import {
  analyzeSelect,
  columnMismatches,
  describeProblem,
  type OutputColumn,
  type SelectSource,
} from "@lakehelm/sql";
import { type NameDefaults, plainName, type TableName } from "@lakehelm/sql/names";
import {
  type ConsumptionFlow,
  type FlowQuery,
  type KnownColumns,
  sameName,
  unmatchedTable,
} from "../flow.ts";
import { firstSeen } from "../unmatched-rows.ts";
import { reservedNameProblem } from "./columns.ts";

type Queries = Pick<ConsumptionFlow, "matched" | "unmatched" | "recheck">;
type QueryField = "matched_sql" | "unmatched_sql" | "recheck_sql";

/** Analyzes the caller's SELECTs against the tables that they can read and the columns that they must return. */
export function readQueries(
  request: ConsumptionFlowInput,
  {
    target,
    sources,
    defaults,
    known,
  }: {
    target: TableName | null;
    sources: readonly TableName[];
    defaults: NameDefaults;
    known: KnownColumns;
  },
  parser: SqlParser,
  problems: string[],
): Queries | undefined {
  const expected = request.target_schema.columns.map(({ name }) => name);
  const declared = sources.map((name): SelectSource => {
    const types = known.get(plainName(name));
    return { name, ...(types && { columns: Object.keys(types), types }) };
  });

  const read = (field: QueryField, text: string, tables: readonly SelectSource[]): AnalyzedQuery | null => {
    const { catalog, schema } = defaults;
    // The flow's steps select the target's columns by name. Unmatched rows keep all their columns.
    const isChosenByName = field !== "unmatched_sql";
    const found = analyzeSelect(parser, text, { tables, catalog, schema, field, isChosenByName });
    problems.push(...(found.problems ?? []).map(describeProblem));
    const outputs = found.columns ?? found.outputs;
    const open = found.open ?? [];
    // A column of the target that the SELECT does not list can come from `*`.
    const needed = expected.filter((name) => !open.some((rest) => rest.find(name)));
    if (outputs && isChosenByName)
      problems.push(
        ...columnMismatches(outputs, expected, field)
          .filter(({ missing }) => missing === undefined || needed.includes(missing))
          .map(describeProblem),
      );
    if (found.problems) return null;
    return { ...queryOf(text, found, isChosenByName ? expected : []), locations: found.columns };
  };

  const matched = read("matched_sql", request.matched_sql, declared);

  const unmatched = request.unmatched_sql ? read("unmatched_sql", request.unmatched_sql, declared) : null;
  if (unmatched) problems.push(...keepProblems(unmatched));

  let recheck: AnalyzedQuery | null = null;
  if (request.recheck_sql) {
    const kept = target
      ? [{ name: unmatchedTable(target), ...(unmatched && { columns: keptColumns(unmatched) }) }]
      : [];
    recheck = read("recheck_sql", request.recheck_sql, [...declared, ...kept]);
    problems.push(...recheckProblems(request, unmatched));
  }
  return matched ? { matched, unmatched, recheck } : undefined;
}

type AnalyzedQuery = FlowQuery & { readonly locations: readonly OutputColumn[] };

function queryOf(
  text: string,
  { columns, tables, references, open }: AnalyzedColumns,
  chosen: readonly string[],
): FlowQuery {
  const listed = new Set(columns.map(({ name }) => name.toLowerCase()));
  const fromStar = chosen
    .filter((name) => !listed.has(name.toLowerCase()))
    .map((name) => [name, open.flatMap((rest) => rest.find(name) ?? [])] as const);
  return {
    text,
    columns: columns.map(({ name }) => name),
    tables,
    references,
    chosenByName: [...new Set(open.flatMap((rest) => rest.tables))],
    lineage: Object.fromEntries([
      ...columns.map(({ name, sources }) => [name, sources] as const),
      ...fromStar,
    ]),
  };
}

type AnalyzedColumns = Extract<ReturnType<typeof analyzeSelect>, { readonly problems?: never }>;

const keptColumns = ({ columns }: FlowQuery) => [...columns, firstSeen];

/** The columns of unmatched_sql become columns of a table. */
const keepProblems = ({ locations }: AnalyzedQuery): string[] =>
  locations.flatMap(({ name, line, column }) => {
    const message = columnNameProblem(name) ?? reservedNameProblem(name, [firstSeen]);
    return message ? [describeProblem({ field: "unmatched_sql", line, column, message })] : [];
  });

/** Rechecked rows are deleted from the unmatched table by key, so that table must have the key. */
function recheckProblems(
  { unmatched_sql, target_schema }: ConsumptionFlowInput,
  unmatched: FlowQuery | null,
): string[] {
  if (!unmatched_sql) return ["recheck_sql: it reads unmatched rows, so the flow needs unmatched_sql too."];
  const key = target_schema.columns.filter(({ pk }) => pk).map(({ name }) => name);
  if (key.length === 0) {
    return [
      'recheck_sql: rechecked rows are removed from the unmatched table by key, so a column of target_schema needs "pk": true.',
    ];
  }
  const missing = unmatched
    ? key.filter((name) => !unmatched.columns.some((other) => sameName(other, name)))
    : [];
  return missing.map(
    (name) =>
      `unmatched_sql: the key column ${name} is missing. Rechecked rows are removed from the unmatched table by key, so add it to this SELECT.`,
  );
}
