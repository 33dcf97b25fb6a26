import { suggestion } from "@lakehelm/contract/text";
import { plainName } from "../names.ts";
import type { Column } from "../select/rows.ts";
import { readExpression } from "./condition.ts";
import type { CdcDraft, ColumnChoice, ColumnPlace, FlowDraft, Stretch } from "./draft.ts";
import type { Fed } from "./feedings.ts";
import { type Known, noTable } from "./known.ts";
import type { AutoCdc } from "./plan.ts";
import { placeAt, type Statement } from "./statements/statement.ts";
import type { Streamable } from "./streams.ts";
import type { Turn } from "./turn.ts";

/** Columns that a table of type 2 has beside its own: from when and to when a row was so. */
const period = ["__START_AT", "__END_AT"];

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** Reads a flow of changes into a dataset against the columns of its source. */
export function readAutoCdc(
  { statement, name, once, target }: FlowDraft,
  draft: CdcDraft,
  dataset: string,
  { sql, known, streamable }: Turn,
): Fed {
  const { source, keys, sequenceBy, deleteWhen, truncateWhen, columns, trackHistory } = draft;
  const from = plainName(source.table);
  const listed = columnsOf(from, source.at, statement, known);
  checkStream(draft, once, statement, streamable(from));
  const expression = (text: Stretch | null) =>
    text && readExpression(sql, text, statement, source.table, listed);
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
      statement.complain(key.at, `the key ${key.name} is not among the COLUMNS: ${dataset} needs it.`);
  }
  const own: readonly Column[] | undefined = kept?.map((column) => ({
    name: column,
    at: source.at,
    sources: [{ table: from, column }],
  }));
  const since =
    draft.scdType === 2 ? period.map((column) => ({ name: column, at: target.at, sources: sequence })) : [];
  const feeding: AutoCdc = {
    kind: "auto_cdc",
    flow: name,
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
    at: placeAt(statement, statement.tokens[0]?.start ?? 0),
  };
  return { feeding, statement, at: target.at, columns: own && [...own, ...since] };
}

function columnsOf(table: string, at: number, statement: Statement, { tables, unsure }: Known) {
  if (unsure.has(table)) return undefined;
  if (!tables.has(table))
    statement.complain(
      at,
      noTable(table, () => suggestion(table, tables.keys())),
    );
  return tables.get(table);
}

function checkStream(
  { source }: CdcDraft,
  once: boolean,
  { complain }: Statement,
  streamable: Streamable,
): void {
  if (!source.isStream && !once)
    complain(
      source.at,
      `AUTO CDC takes what is new in a stream: write FROM STREAM(${plainName(source.table)}).`,
    );
  if (source.isStream && typeof streamable === "object") complain(source.at, streamable.not);
}

function checkColumn(
  { name, at }: ColumnPlace,
  table: string,
  listed: readonly string[],
  statement: Statement,
): void {
  if (!listed.some((one) => sameName(one, name)))
    statement.complain(at, `${table} has no column ${name}.${suggestion(name, listed)}`);
}

const chosen = (listed: readonly string[], { only, except }: ColumnChoice): readonly string[] =>
  only
    ? only.map(({ name }) => listed.find((one) => sameName(one, name)) ?? name)
    : listed.filter((one) => !except.some(({ name }) => sameName(one, name)));

const names = ({ only, except }: ColumnChoice) => ({
  only: only?.map(({ name }) => name) ?? null,
  except: except.map(({ name }) => name),
});
