import { suggestion } from "@lakehelm/contract/text";
import { plainName } from "../names/table-name.ts";
import type { ResultColumn } from "../query/row-type.ts";
import type { AnalysisContext } from "./analysis-context.ts";
import type { AnalyzedFlow } from "./analyzed-flow.ts";
import type { CdcDraft, ColumnChoice, ColumnReference, FlowDraft, SqlFragment } from "./drafts.ts";
import { analyzeExpression } from "./expression.ts";
import type { AutoCdcFlow } from "./plan.ts";
import { locationAt, type SourceStatement } from "./statements/statement.ts";
import type { Streamability } from "./streams/streamability.ts";
import { noSuchTable, type TableCatalog } from "./table-catalog.ts";

/** The additional columns of an SCD type 2 table: the period in which a row is valid. */
const period = ["__START_AT", "__END_AT"];

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** Analyzes an AUTO CDC flow against the columns of its source. */
export function analyzeAutoCdc(
  { statement, name, once, target }: FlowDraft,
  draft: CdcDraft,
  dataset: string,
  { parser: sql, catalog, streamability: streamable }: AnalysisContext,
): AnalyzedFlow {
  const { source, keys, sequenceBy, deleteWhen, truncateWhen, columns, trackHistory } = draft;
  const from = plainName(source.table);
  const listed = columnsOf(from, source.at, statement, catalog);
  checkStream(draft, once, statement, streamable(from));
  const expression = (text: SqlFragment | null) =>
    text && analyzeExpression(sql, text, statement, source.table, listed);
  const sequence = expression(sequenceBy) ?? [];
  expression(deleteWhen);
  expression(truncateWhen);
  const named = [
    keys,
    columns.only ?? [],
    columns.except,
    trackHistory?.only ?? [],
    trackHistory?.except ?? [],
  ].flat();
  if (listed) for (const column of named) checkColumn(column, from, listed, statement);
  const kept = listed && chosen(listed, columns);
  for (const key of keys) {
    if (listed?.some((one) => sameName(one, key.name)) && !kept?.some((one) => sameName(one, key.name)))
      statement.report(key.at, `the key ${key.name} is not in COLUMNS: ${dataset} needs it.`);
  }
  const own: readonly ResultColumn[] | undefined = kept?.map((column) => ({
    name: column,
    at: source.at,
    sources: [{ table: from, column }],
  }));
  const since =
    draft.scdType === 2 ? period.map((column) => ({ name: column, at: target.at, sources: sequence })) : [];
  const cdcFlow: AutoCdcFlow = {
    kind: "auto_cdc",
    name,
    source: from,
    reads: [from],
    streams: source.isStream ? [from] : [],
    once,
    keys: keys.map((key) => key.name),
    sequenceBy: sequenceBy.sql,
    deleteWhen: deleteWhen?.sql ?? null,
    truncateWhen: truncateWhen?.sql ?? null,
    ignoreNullUpdates: draft.ignoreNullUpdates,
    columns: names(columns),
    scdType: draft.scdType,
    trackHistory: trackHistory && names(trackHistory),
    location: locationAt(statement, statement.tokens[0]?.start ?? 0),
  };
  return { flow: cdcFlow, statement, at: target.at, columns: own && [...own, ...since] };
}

function columnsOf(table: string, at: number, statement: SourceStatement, { tables, invalid }: TableCatalog) {
  if (invalid.has(table)) return undefined;
  if (!tables.has(table))
    statement.report(
      at,
      noSuchTable(table, () => suggestion(table, tables.keys())),
    );
  return tables.get(table);
}

function checkStream(
  { source }: CdcDraft,
  once: boolean,
  { report }: SourceStatement,
  streamable: Streamability,
): void {
  if (!source.isStream && !once)
    report(source.at, `AUTO CDC reads a stream: write FROM STREAM(${plainName(source.table)}).`);
  if (source.isStream && typeof streamable === "object") report(source.at, streamable.not);
}

function checkColumn(
  { name, at }: ColumnReference,
  table: string,
  listed: readonly string[],
  statement: SourceStatement,
): void {
  if (!listed.some((one) => sameName(one, name)))
    statement.report(at, `${table} has no column ${name}.${suggestion(name, listed)}`);
}

const chosen = (listed: readonly string[], { only, except }: ColumnChoice): readonly string[] =>
  only
    ? only.map(({ name }) => listed.find((one) => sameName(one, name)) ?? name)
    : listed.filter((one) => !except.some(({ name }) => sameName(one, name)));

const names = ({ only, except }: ColumnChoice) => ({
  only: only?.map(({ name }) => name) ?? null,
  except: except.map(({ name }) => name),
});
