import type { DuckDBConnection } from "@duckdb/node-api";
import { preserveColumnNames } from "./column-names.ts";
import { callTextFunction } from "./kept-statements.ts";
import { prefix } from "./spark-functions.ts";
import {
  castTo,
  type DuckDBNode,
  functionCall,
  isNode,
  nodesIn,
  parseSql,
  rewrite,
  writeSql,
} from "./syntax-tree.ts";
import { nullConstant } from "./type-probe.ts";

/** Each repair binds the statement again, which takes some milliseconds. */
const maxRepairs = 32;

/**
 * Adds the implicit casts of Databricks, such as text to BIGINT in `code + 1`, and distinguishes maps from lists. Only
 * DuckDB's binder knows types: it refuses these expressions, and says where they are and which types they have. A
 * statement that the binder accepts stays as it is, and so does a statement that it refuses for another reason.
 */
export async function bindableStatement(
  connection: DuckDBConnection,
  statement: DuckDBNode,
): Promise<{ readonly sql: string; readonly statement: DuckDBNode }> {
  const original = { sql: await writeSql(connection, statement), statement };
  let current = original;
  for (let repairs = 0; repairs < maxRepairs; repairs += 1) {
    if (await binds(connection, current.sql)) return current;
    const refusal = await bindRefusal(connection, current.sql);
    const { statements: [parsed] = [] } = await parseSql(connection, current.sql);
    if (!refusal || !parsed) return original;
    let isRepaired = false;
    await preserveColumnNames(connection, parsed, () => {
      isRepaired = repair(parsed, refusal);
    });
    if (!isRepaired) return original;
    current = { sql: await writeSql(connection, parsed), statement: parsed };
  }
  return original;
}

async function binds(connection: DuckDBConnection, sql: string): Promise<boolean> {
  try {
    const statements = await connection.extractStatements(sql);
    (await statements.prepare(0)).destroySync();
    return true;
  } catch {
    return false;
  }
}

interface BindRefusal {
  readonly message: string;
  /** Counted in bytes of the statement; undefined if DuckDB does not say it. */
  readonly at: number | undefined;
}

async function bindRefusal(connection: DuckDBConnection, sql: string): Promise<BindRefusal | undefined> {
  const read = JSON.parse(await callTextFunction(connection, "json_serialize_plan", sql));
  if (!read.error || read.error_type !== "binder") return undefined;
  return {
    message: String(read.error_message),
    at: read.position === undefined ? undefined : Number(read.position),
  };
}

const calls =
  /^(?:No function matches the given name and argument types '|Could not choose a best candidate function for the function call ")(\S+?)\((.*?)\)['"]\./;
const comparison = /^Cannot compare values of type (.+?) and type (.+?) - an explicit cast is required/;
const mixture = /^Cannot mix values of type (.+?) and (.+?) in (?:BETWEEN|COALESCE|CASE|IN)/;

/** Changes the expression that was refused; false if Databricks refuses it too, or if it cannot be found. */
function repair(statement: DuckDBNode, { message, at }: BindRefusal): boolean {
  const [, called = "", listed = ""] = calls.exec(message) ?? [];
  const types =
    called === "" ? (comparison.exec(message) ?? mixture.exec(message))?.slice(1, 3) : split(listed);
  if (!types) return false;
  const name = called.toLowerCase();
  if (name === "len" && types[0]?.startsWith("MAP(")) {
    return (
      changeNodes(statement, (node) => isLookup(node, at), mapLookup) ||
      changeNodes(statement, (node) => isAt(node, at), mapSize)
    );
  }
  const change = repairOf(name, types);
  if (change && changeNodes(statement, (node) => isAt(node, at), change)) return true;
  if (change && name === "" && at === undefined)
    return changeNodes(statement, ({ type }) => type === "OPERATOR_COALESCE", change);
  // A position inside a macro does not say which call of the macro is meant, so all calls are changed. The changes
  // convert only texts.
  const inMacro = macroRepair(name, types);
  return inMacro !== undefined && changeNodes(statement, inMacro.isMeant, inMacro.change);
}

function changeNodes(statement: DuckDBNode, isMeant: (node: DuckDBNode) => boolean, change: Change): boolean {
  let isChanged = false;
  rewrite(statement, (node) => {
    if (!isMeant(node)) return node;
    const changed = change(node);
    isChanged ||= changed !== node;
    return changed === node ? node : { ...changed, alias: node.alias };
  });
  return isChanged;
}

const isAt = (node: DuckDBNode, at: number | undefined): boolean =>
  at !== undefined && node.query_location === at;

const macroNamed = (node: DuckDBNode, names: readonly string[]): boolean =>
  node.class === "FUNCTION" && names.some((name) => node.function_name === prefix + name);

/** `list[0]` or element_at(list, 1) whose third argument, the length of the list, was refused. It may be cast. */
function isLookup(node: DuckDBNode, at: number | undefined): boolean {
  const [, , length] = nodesIn(node.children);
  const call = length && isNode(length.child) ? length.child : length;
  return macroNamed(node, ["item", "element"]) && call !== undefined && isAt(call, at);
}

const mapLookup: Change = (node) => functionCall(`${prefix}map_item`, nodesIn(node.children).slice(0, 2));
const mapSize: Change = (node) => functionCall("cardinality", nodesIn(node.children));

interface MacroRepair {
  readonly isMeant: (node: DuckDBNode) => boolean;
  readonly change: Change;
}

function macroRepair(called: string, types: readonly string[]): MacroRepair | undefined {
  if (called === "generate_series" && types[0] === "DATE")
    return { isMeant: (node) => macroNamed(node, ["sequence"]), change: sequenceOfDays };
  if (called === "substring" && isPlain(types[0] ?? ""))
    return { isMeant: (node) => macroNamed(node, ["substring"]), change: withFirst(toText) };
  if (["abs", "ceil", "floor"].includes(called) && isText(types[0] ?? ""))
    return {
      isMeant: (node) => macroNamed(node, ["bround", "ceil", "ceiling", "floor"]),
      change: withFirst(onlyText(toDouble)),
    };
  const convert = operators.has(called) ? conversion(types) : undefined;
  if (!convert) return undefined;
  return {
    isMeant: (node) => macroNamed(node, ["divide", "div", "mod"]),
    change: withOperands(onlyText(convert)),
  };
}

type Change = (node: DuckDBNode) => DuckDBNode;

const isText = (type: string): boolean => type === "VARCHAR" || type === "STRING_LITERAL";
const isWhole = (type: string): boolean => /^(?:TINYINT|SMALLINT|INTEGER|BIGINT|INTEGER_LITERAL)$/.test(type);
const isNumber = (type: string): boolean => isWhole(type) || /^(?:DECIMAL\(.*\)|FLOAT|DOUBLE)$/.test(type);
const isTime = (type: string): boolean => /^(?:DATE|TIMESTAMP|TIMESTAMP WITH TIME ZONE)$/.test(type);

const textFunctions = new Set(
  "ascii bit_length contains ends_with initcap instr lcase left length lower lpad ltrim regexp_extract regexp_matches regexp_replace repeat replace reverse right rpad rtrim starts_with strpos substring trim ucase upper".split(
    " ",
  ),
);
const numberFunctions = new Set(
  "abs avg cbrt ceil exp floor ln log10 log2 median round sign sqrt stddev sum".split(" "),
);
const timeFunctions = new Set(
  "day dayofmonth dayofyear hour minute month quarter second week weekofyear year".split(" "),
);
const operators = new Set(["+", "-", "*", "/", "%", "//"]);

function repairOf(called: string, types: readonly string[]): Change | undefined {
  const [first = ""] = types;
  if (called === "reverse" && first.endsWith("[]"))
    return (node) => ({ ...node, function_name: "list_reverse" });
  const convert = called === "" || operators.has(called) ? conversion(types, called === "") : undefined;
  if (convert && called === "") return withMixed(convert);
  if (convert) return withOperands((child, index) => (isText(types[index] ?? "") ? convert(child) : child));
  if (numberFunctions.has(called) && isText(first)) return withFirst(toDouble);
  if (timeFunctions.has(called) && isText(first)) return withFirst(castOf("TIMESTAMP WITH TIME ZONE"));
  return textFunctions.has(called) && isPlain(first) ? withFirst(toText) : undefined;
}

/** How Databricks converts the texts among operands of these types. */
function conversion(
  types: readonly string[],
  isComparison = false,
): ((child: DuckDBNode) => DuckDBNode) | undefined {
  const others = types.filter((type) => !isText(type));
  if (others.length === types.length) return undefined;
  const [time] = others.filter(isTime);
  if (isComparison && time !== undefined && others.every(isTime)) return castOf(time);
  // Databricks does not compute with two texts.
  if (!others.every(isNumber) || (others.length === 0 && !isComparison)) return undefined;
  return others.length > 0 && others.every(isWhole) ? toWhole : toDouble;
}

/** Types that a text function takes as text. */
const isPlain = (type: string): boolean => isNumber(type) || isTime(type) || type === "BOOLEAN";

const castOf =
  (type: string): ((child: DuckDBNode) => DuckDBNode) =>
  (child) =>
    castTo(type, child);
const toDouble = castOf("DOUBLE");
/** A timestamp as text has no time zone. */
const toText = (child: DuckDBNode): DuckDBNode => castTo("VARCHAR", functionCall(`${prefix}local`, [child]));
const toWhole = (child: DuckDBNode): DuckDBNode => functionCall(`${prefix}bigint`, [child]);

const withFirst =
  (convert: (child: DuckDBNode) => DuckDBNode): Change =>
  (node) => {
    const [first, ...others] = nodesIn(node.children);
    return first ? { ...node, children: [convert(first), ...others] } : node;
  };

const withOperands =
  (convert: (child: DuckDBNode, index: number) => DuckDBNode): Change =>
  (node) => ({ ...node, children: nodesIn(node.children).map(convert) });

/** Converts a value if it is a text. */
const onlyText =
  (convert: (child: DuckDBNode) => DuckDBNode) =>
  (child: DuckDBNode): DuckDBNode =>
    functionCall("replace_type", [
      child,
      castTo("VARCHAR", nullConstant()),
      convert(castTo("VARCHAR", nullConstant())),
    ]);

/** It is unknown which operand is the text, so each operand is converted if it is a text. */
function withMixed(convert: (child: DuckDBNode) => DuckDBNode): Change {
  const typed = (child: unknown): unknown => (isNode(child) ? onlyText(convert)(child) : child);
  return (node) => {
    if (node.class === "COMPARISON") return { ...node, left: typed(node.left), right: typed(node.right) };
    if (node.class === "BETWEEN")
      return { ...node, input: typed(node.input), lower: typed(node.lower), upper: typed(node.upper) };
    if (node.class === "OPERATOR") return { ...node, children: nodesIn(node.children).map(typed) };
    return node;
  };
}

const sequenceOfDays: Change = (node) => functionCall(`${prefix}sequence_of_days`, nodesIn(node.children));

/** Splits at commas outside of parentheses. */
function split(listed: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [index, character] of [...listed].entries()) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) {
      types.push(listed.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...types, listed.slice(from).trim()];
}
