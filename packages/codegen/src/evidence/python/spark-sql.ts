import { isWholeString, literalText, templateText, withoutParentheses } from "./literals.ts";
import { loopTargets, type PythonNode, targetsOf } from "./syntax-tree.ts";

/** A text that the notebook passes to `spark.sql`, and its offset. */
export interface SparkStatement {
  readonly text: string;
  readonly at: number;
  /** Whether parts of the text are known only when the notebook runs. A plain word replaces each of them. */
  readonly template: boolean;
}

/** Valid as a table, a column or a value. */
const placeholder = "placeholder";

/** The values of the names in format strings, as far as they are known. */
type Variables = Readonly<Record<string, string>>;

/** Every string of a notebook, concatenated as Python does. */
export function stringsIn(nodes: readonly PythonNode[], source: string, variables: Variables): Set<string> {
  const texts = new Set<string>();
  for (const node of nodes) {
    if (!isWholeString(node)) continue;
    const text = literalText(node, source, variables);
    if (text !== undefined) texts.add(text);
  }
  return texts;
}

/**
 * The strings that reach `spark.sql`: written in the call, assigned to a name, or from a list of literals that a loop
 * iterates over. Arguments of functions and computed strings are not followed.
 */
export function sparkStatements(
  nodes: readonly PythonNode[],
  source: string,
  variables: Variables,
): SparkStatement[] {
  const values = valuesByName(nodes, source);
  return nodes.flatMap((node) => {
    const argument = sparkSqlArgument(node, source);
    if (!argument) return [];
    const name = argument.name === "VariableName" ? source.slice(argument.from, argument.to) : undefined;
    const texts = name === undefined ? [argument] : (values.get(name) ?? []);
    return texts.flatMap((one) => textOf(one, source, variables));
  });
}

function textOf(node: PythonNode, source: string, variables: Variables): SparkStatement[] {
  const text = literalText(node, source, variables);
  if (text !== undefined) return [{ text, at: node.from, template: false }];
  const template = templateText(node, source, placeholder);
  return template === undefined ? [] : [{ text: template, at: node.from, template: true }];
}

/** The first argument of a call of `spark.sql`. */
function sparkSqlArgument({ name, children: nodes }: PythonNode, source: string): PythonNode | undefined {
  const [called, list] = nodes;
  if (name !== "CallExpression" || called?.name !== "MemberExpression" || list?.name !== "ArgList")
    return undefined;
  if (source.slice(called.from, called.to).replace(/\s/g, "") !== "spark.sql") return undefined;
  const first = list.children[1];
  return first && withoutParentheses(first);
}

/** The values of each name: assigned values, or the items of the list that a loop iterates over. */
function valuesByName(nodes: readonly PythonNode[], source: string): Map<string, PythonNode[]> {
  const values = new Map<string, PythonNode[]>();
  const add = (name: PythonNode, given: readonly PythonNode[]) => {
    const key = source.slice(name.from, name.to);
    values.set(key, [...(values.get(key) ?? []), ...given]);
  };
  const loops: [PythonNode, PythonNode][] = [];
  for (const node of nodes) {
    if (node.name === "AssignStatement") {
      const [target, more] = targetsOf(node);
      const value = node.children.at(-1);
      if (target?.name === "VariableName" && !more && value) add(target, [withoutParentheses(value)]);
    } else if (node.name === "ForStatement") {
      const [target, more] = loopTargets(node);
      const over = node.children[node.children.findIndex(({ name }) => name === "in") + 1];
      if (target?.name === "VariableName" && !more && over) loops.push([target, withoutParentheses(over)]);
    }
  }
  for (const [target, over] of loops) {
    const lists =
      over.name === "VariableName" ? (values.get(source.slice(over.from, over.to)) ?? []) : [over];
    add(
      target,
      lists
        .filter(({ name }) => listNodes.has(name))
        .flatMap((list) => list.children.map(withoutParentheses)),
    );
  }
  return values;
}

const listNodes = new Set(["ArrayExpression", "TupleExpression"]);
