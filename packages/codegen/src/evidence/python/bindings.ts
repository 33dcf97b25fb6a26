import { shown } from "@lakehelm/contract/text";
import { parametersOf } from "./names.ts";
import { loopTargets, type PythonNode, targetsOf, unpacking } from "./syntax-tree.ts";

const marks = new Set([",", "(", ")", "[", "]", "*", "Comment", "del"]);

/** Something is given a value, or deleted, that can have none: a number, a call, a sum. */
export function assignmentProblem(part: PythonNode): string | undefined {
  const targets = targetParts(part);
  if (!targets.every((target) => canBeBound(target, part.name))) return "This cannot be given a value.";
  if (part.name !== "AssignStatement") return undefined;
  const comma = part.children.some(({ name }) => name === ",");
  if (part.children.some(({ name }) => name === "*") && !comma)
    return "A star stands where nothing can be unpacked.";
  const annotated = part.children.some(({ name }) => name === "TypeDef");
  return annotated && (comma || unpacking.has(targets[0]?.name ?? ""))
    ? "A type belongs to one name."
    : undefined;
}

function targetParts(part: PythonNode): readonly PythonNode[] {
  switch (part.name) {
    case "AssignStatement":
      return targetsOf(part);
    case "ForStatement":
      return loopTargets(part);
    case "DeleteStatement":
      return part.children;
    default:
      return part.children.slice(
        0,
        part.children.findIndex(({ name }) => name === "UpdateOp" || name === "AssignOp"),
      );
  }
}

function canBeBound({ name, children: parts }: PythonNode, statement: string): boolean {
  if (name === "VariableName") return true;
  if (statement === "NamedExpression") return false;
  if (name === "MemberExpression") return true;
  if (statement === "UpdateStatement") return false;
  if (unpacking.has(name)) return parts.every((part) => canBeBound(part, statement));
  return marks.has(name);
}

/** Parameters that are there twice, or stand where Python does not take them. */
export function parameterProblem(part: PythonNode, source: string): string | undefined {
  const names = parametersOf(part).map(({ from, to }) => source.slice(from, to));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return `The parameter ${shown(twice)} is there twice.`;
  const { children: parts } = part;
  let withDefault = false;
  for (const [at, one] of parts.entries()) {
    const next = parts[at + 1]?.name;
    if (one.name === "*") {
      const after = parts[at + 1]?.name === "VariableName" ? "named" : parts[at + 2]?.name;
      if (after === undefined || after === "**" || after === ")")
        return "Nothing follows the star of the parameters.";
      // What follows is given by name, in any order.
      return undefined;
    }
    if (one.name !== "VariableName" || parts[at - 1]?.name === "AssignOp" || parts[at - 1]?.name === "**")
      continue;
    const has = next === "AssignOp" || (next === "TypeDef" && parts[at + 2]?.name === "AssignOp");
    if (withDefault && !has) return "A parameter without a default follows one that has a default.";
    withDefault ||= has;
  }
  return undefined;
}

/** Arguments in an order that Python does not take, or given twice. */
export function callProblem({ children: parts }: PythonNode, source: string): string | undefined {
  const given = new Set<string>();
  let unpacked = false;
  let count = 0;
  let generator = false;
  let start = true;
  let inTarget = false;
  for (const [at, one] of parts.entries()) {
    if (one.name === "for") {
      generator = true;
      inTarget = true;
    } else if (inTarget) inTarget = one.name !== "in";
    else if (one.name === "(" || one.name === ",") start = true;
    else if (start && one.name !== ")" && one.name !== "Comment") {
      start = false;
      count += 1;
      const keyword = parts[at + 1]?.name === "AssignOp" && one.name === "VariableName";
      if (keyword) {
        const name = source.slice(one.from, one.to);
        if (given.has(name)) return `The argument ${shown(name)} is given twice.`;
        given.add(name);
      } else if (one.name === "**") unpacked = true;
      else if (unpacked || (given.size > 0 && one.name !== "*")) {
        return "An argument without a name follows one that has a name.";
      }
    }
  }
  return generator && count > 1 ? "A generator among several arguments needs parentheses." : undefined;
}
