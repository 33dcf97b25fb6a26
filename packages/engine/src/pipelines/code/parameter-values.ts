import type { DuckDBConnection } from "@duckdb/node-api";
import { encodeJson } from "@lakehelm/contract/schema";
import { locateInFile, type ScriptStatement, type SourceSegment } from "@lakehelm/sql/pipelines";
import { isNode, rewrite, writeSql } from "../../warehouse/queries/syntax-tree.ts";
import { parseSelect } from "./table-substitution.ts";

/** Parameter values by their placeholder in the SQL. They are inserted into the syntax tree and never parsed as SQL. */
export type ParameterTexts = ReadonlyMap<string, string>;

/** The SQL literal of each parameter. Text gets a placeholder, and its value goes into `values`. */
export function parameterLiterals(
  parameters: Readonly<Record<string, unknown>>,
  types: Readonly<Record<string, string>> = {},
): {
  readonly texts: ReadonlyMap<string, string>;
  readonly values: ParameterTexts;
} {
  const values = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(parameters)) {
    const type = numberType.exec(types[name] ?? "")?.[0];
    const number = numberIn(value, type !== undefined);
    if (value === null || value === undefined) texts.set(name, "NULL");
    else if (typeof value === "boolean") texts.set(name, String(value));
    else if (number !== undefined) texts.set(name, type ? `CAST(${number} AS ${type})` : `(${number})`);
    else {
      const placeholder = `lakehelm parameter ${values.size}`;
      values.set(placeholder, typeof value === "string" ? value : encodeJson(value));
      texts.set(name, `'${placeholder}'`);
    }
  }
  return { texts, values };
}

const numberType = /^(?:TINYINT|SMALLINT|INT|BIGINT|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/;

/** A number as a SQL literal. */
function numberIn(value: unknown, mayBeText: boolean): string | undefined {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value).replace("e+", "e");
  const isText = mayBeText && typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value);
  return isText ? value : undefined;
}

/** Replaces the placeholders in DuckDB SQL by their values. */
export async function insertValues(
  connection: DuckDBConnection,
  sql: string,
  values: ParameterTexts,
): Promise<string> {
  if (values.size === 0) return sql;
  const statement = await parseSelect(connection, sql);
  rewrite(statement, (node) => {
    const constant = node.class === "CONSTANT" && isNode(node.value) ? node.value : undefined;
    const text = typeof constant?.value === "string" ? values.get(constant.value) : undefined;
    return text === undefined ? node : { ...node, value: { ...constant, value: text } };
  });
  return writeSql(connection, statement);
}

/** Inserts literals for the parameters of a statement. Errors still get the right location in the author's text. */
export function insertLiterals(
  statement: ScriptStatement,
  literals: ReadonlyMap<string, string>,
): ScriptStatement {
  const { sql, parameters, segments } = statement;
  const texts: string[] = [];
  const newSegments: SourceSegment[] = [];
  let [done, length] = [0, 0];
  const add = (text: string, from: number, isCopy: boolean) => {
    const within = isCopy
      ? segments.filter((segment) => segment.from > from && segment.from < from + text.length)
      : [];
    newSegments.push({
      ...locateInFile(sql, segments, from),
      from: length,
      isCopy: isCopy && isCopied(segments, from),
    });
    for (const segment of within) newSegments.push({ ...segment, from: segment.from - from + length });
    texts.push(text);
    length += text.length;
  };
  for (const { name, from, to } of parameters) {
    add(sql.slice(done, from), done, true);
    add(literals.get(name) ?? "NULL", from, false);
    done = to;
  }
  add(sql.slice(done), done, true);
  const whole = { ...statement, sql: texts.join(""), segments: newSegments };
  if (whole.kind === "query" || !("select" in whole.meaning) || whole.meaning.select === null) return whole;
  // The query is the end of its statement. Its length has changed by the inserted literals.
  const rest = sql.length - whole.meaning.select.length;
  const before = parameters.filter(({ from }) => from < rest);
  const grown = before.reduce(
    (sum, { name, from, to }) => sum + (literals.get(name)?.length ?? 4) - (to - from),
    0,
  );
  return { ...whole, meaning: { ...whole.meaning, select: whole.sql.slice(rest + grown) } };
}

const isCopied = (segments: readonly SourceSegment[], offset: number): boolean =>
  segments.findLast(({ from }) => from <= offset)?.isCopy ?? true;
