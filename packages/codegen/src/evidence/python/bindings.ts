import { shown } from "@lakehelm/contract/text";
import { parametersOf } from "./names.ts";
import { loopTargets, type PythonNode, targetsOf, unpacking } from "./syntax-tree.ts";

const punctuation = new Set([",", "(", ")", "[", "]", "*", "Comment", "del"]);

/** Finds assignments to, and deletions of, expressions that cannot be assigned: a number, a call, a sum. */
export function assignmentProblem(node: PythonNode): string | undefined {
  const targets = targetParts(node);
  if (!targets.every((target) => canBeBound(target, node.name))) return "This cannot be assigned to.";
  if (node.name !== "AssignStatement") return undefined;
  const comma = node.children.some(({ name }) => name === ",");
  if (node.children.some(({ name }) => name === "*") && !comma)
    return "A star is used where nothing can be unpacked.";
  const annotated = node.children.some(({ name }) => name === "TypeDef");
  return annotated && (comma || unpacking.has(targets[0]?.name ?? ""))
    ? "Only a single name can have a type annotation."
    : undefined;
}

function targetParts(node: PythonNode): readonly PythonNode[] {
  switch (node.name) {
    case "AssignStatement":
      return targetsOf(node);
    case "ForStatement":
      return loopTargets(node);
    case "DeleteStatement":
      return node.children;
    default:
      return node.children.slice(
        0,
        node.children.findIndex(({ name }) => name === "UpdateOp" || name === "AssignOp"),
      );
  }
}

function canBeBound({ name, children: nodes }: PythonNode, statement: string): boolean {
  if (name === "VariableName") return true;
  if (statement === "NamedExpression") return false;
  if (name === "MemberExpression") return true;
  if (statement === "UpdateStatement") return false;
  if (unpacking.has(name)) return nodes.every((node) => canBeBound(node, statement));
  return punctuation.has(name);
}

/** Duplicate parameters, or parameters in an order that Python does not accept. */
export function parameterProblem(node: PythonNode, source: string): string | undefined {
  const names = parametersOf(node).map(({ from, to }) => source.slice(from, to));
  const duplicate = names.find((name, at) => names.indexOf(name) < at);
  if (duplicate !== undefined) return `Duplicate parameter ${shown(duplicate)}.`;
  const { children: nodes } = node;
  let withDefault = false;
  for (const [at, one] of nodes.entries()) {
    const next = nodes[at + 1]?.name;
    if (one.name === "*") {
      const after = nodes[at + 1]?.name === "VariableName" ? "named" : nodes[at + 2]?.name;
      if (after === undefined || after === "**" || after === ")") return "A parameter must follow the star.";
      // Parameters after a star are keyword parameters, in any order.
      return undefined;
    }
    if (one.name !== "VariableName" || nodes[at - 1]?.name === "AssignOp" || nodes[at - 1]?.name === "**")
      continue;
    const has = next === "AssignOp" || (next === "TypeDef" && nodes[at + 2]?.name === "AssignOp");
    if (withDefault && !has) return "A parameter without a default follows one that has a default.";
    withDefault ||= has;
  }
  return undefined;
}

/** Duplicate arguments, or arguments in an order that Python does not accept. */
export function callProblem({ children: nodes }: PythonNode, source: string): string | undefined {
  const given = new Set<string>();
  let unpacked = false;
  let count = 0;
  let generator = false;
  let start = true;
  let inTarget = false;
  for (const [at, one] of nodes.entries()) {
    if (one.name === "for") {
      generator = true;
      inTarget = true;
    } else if (inTarget) inTarget = one.name !== "in";
    else if (one.name === "(" || one.name === ",") start = true;
    else if (start && one.name !== ")" && one.name !== "Comment") {
      start = false;
      count += 1;
      const keyword = nodes[at + 1]?.name === "AssignOp" && one.name === "VariableName";
      if (keyword) {
        const name = source.slice(one.from, one.to);
        if (given.has(name)) return `Duplicate argument ${shown(name)}.`;
        given.add(name);
      } else if (one.name === "**") unpacked = true;
      else if (unpacked || (given.size > 0 && one.name !== "*")) {
        return "A positional argument follows a keyword argument.";
      }
    }
  }
  return generator && count > 1 ? "A generator among several arguments needs parentheses." : undefined;
}
