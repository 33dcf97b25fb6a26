import { isWholeString, literalText, templateText, withoutParentheses } from "./literals.ts";
import { loopTargets, type PythonNode, targetsOf } from "./syntax-tree.ts";

/** A text that the notebook hands to `spark.sql`, and where it stands. */
export interface SparkStatement {
  readonly text: string;
  readonly at: number;
  /** Whether parts of it are only known when it runs; a plain word stands for each. */
  readonly template: boolean;
}

/** A word that can stand for a table, a column or a value. */
const standIn = "stand_in";

/** Every string of a notebook, put together as Python does. */
export function stringsIn(parts: readonly PythonNode[], source: string): Set<string> {
  const texts = new Set<string>();
  for (const part of parts) {
    if (!isWholeString(part)) continue;
    const text = literalText(part, source);
    if (text !== undefined) texts.add(text);
  }
  return texts;
}

/**
 * The texts that reach `spark.sql`: written in the call, or by way of a name that is given a literal, or of a loop
 * over a list of literals. What a function receives or puts together is not followed.
 */
export function sparkStatements(parts: readonly PythonNode[], source: string): SparkStatement[] {
  const values = valuesByName(parts, source);
  return parts.flatMap((part) => {
    const argument = sparkSqlArgument(part, source);
    if (!argument) return [];
    const name = argument.name === "VariableName" ? source.slice(argument.from, argument.to) : undefined;
    const texts = name === undefined ? [argument] : (values.get(name) ?? []);
    return texts.flatMap((one) => textOf(one, source));
  });
}

function textOf(part: PythonNode, source: string): SparkStatement[] {
  const text = literalText(part, source);
  if (text !== undefined) return [{ text, at: part.from, template: false }];
  const template = templateText(part, source, standIn);
  return template === undefined ? [] : [{ text: template, at: part.from, template: true }];
}

/** The first argument of a call of `spark.sql`. */
function sparkSqlArgument({ name, children: parts }: PythonNode, source: string): PythonNode | undefined {
  const [called, list] = parts;
  if (name !== "CallExpression" || called?.name !== "MemberExpression" || list?.name !== "ArgList")
    return undefined;
  if (source.slice(called.from, called.to).replace(/\s/g, "") !== "spark.sql") return undefined;
  const first = list.children[1];
  return first && withoutParentheses(first);
}

/** What names are given: a value each, or the items of the list that a loop takes them from. */
function valuesByName(parts: readonly PythonNode[], source: string): Map<string, PythonNode[]> {
  const values = new Map<string, PythonNode[]>();
  const add = (name: PythonNode, given: readonly PythonNode[]) => {
    const key = source.slice(name.from, name.to);
    values.set(key, [...(values.get(key) ?? []), ...given]);
  };
  const loops: [PythonNode, PythonNode][] = [];
  for (const part of parts) {
    if (part.name === "AssignStatement") {
      const [target, more] = targetsOf(part);
      const value = part.children.at(-1);
      if (target?.name === "VariableName" && !more && value) add(target, [withoutParentheses(value)]);
    } else if (part.name === "ForStatement") {
      const [target, more] = loopTargets(part);
      const over = part.children[part.children.findIndex(({ name }) => name === "in") + 1];
      if (target?.name === "VariableName" && !more && over) loops.push([target, withoutParentheses(over)]);
    }
  }
  for (const [target, over] of loops) {
    const lists =
      over.name === "VariableName" ? (values.get(source.slice(over.from, over.to)) ?? []) : [over];
    add(
      target,
      lists.filter(({ name }) => listings.has(name)).flatMap((list) => list.children.map(withoutParentheses)),
    );
  }
  return values;
}

const listings = new Set(["ArrayExpression", "TupleExpression"]);
