import { shown } from "@lakehelm/contract/text";
import { builtins, notebookGlobals } from "./builtins.ts";
import {
  after,
  before,
  boundNames,
  enclosing,
  loopTargets,
  type PythonNode,
  targetsOf,
} from "./syntax-tree.ts";

interface NameProblem {
  readonly at: number;
  readonly message: string;
}

const comprehensions = [
  "ComprehensionExpression",
  "ArrayComprehensionExpression",
  "DictionaryComprehensionExpression",
  "SetComprehensionExpression",
];
const functions = ["FunctionDefinition", "LambdaExpression", "ClassDefinition"];
const scopes = new Set([...functions, ...comprehensions]);
const scopesAndParameters = new Set([...scopes, "ParamList"]);
const walls = new Set(functions);

/** Where a scope has a name from, by name. The notebook as a whole is the scope without a part. */
type Scopes = Map<PythonNode | undefined, Map<string, number>>;

/** Names that are read although nothing gives them a value, or gives it only further down. */
export function nameProblems(all: readonly PythonNode[], source: string): NameProblem[] {
  const textOf = ({ from, to }: PythonNode) => source.slice(from, to);
  const known: Scopes = new Map();
  const bindings = all.flatMap(nameBindings);
  for (const { name, from, scope } of bindings) {
    const names = known.get(scope) ?? new Map<string, number>();
    known.set(scope, names);
    names.set(textOf(name), Math.min(from, names.get(textOf(name)) ?? from));
  }
  // With global and nonlocal, which function gives the value is left open.
  const declared = all
    .filter(({ name }) => name === "ScopeStatement")
    .flatMap(({ children }) => children.filter(isName));
  const open = new Set(declared.map(textOf));
  return nameReads(all, source, bindings).flatMap((part) => {
    const name = textOf(part);
    const problem = builtins.has(name) || open.has(name) ? undefined : readProblem(name, part, known);
    return problem ? [{ at: part.from, message: `The name ${shown(name)} ${problem}.` }] : [];
  });
}

/** The places where names are read. */
export function nameReads(
  all: readonly PythonNode[],
  source: string,
  bindings = all.flatMap(nameBindings),
): PythonNode[] {
  const bound = new Set(bindings.map(({ name }) => name));
  return all.filter((part) => isName(part) && !bound.has(part) && isRead(part, source));
}

function readProblem(name: string, part: PythonNode, known: Scopes): string | undefined {
  let scope = enclosing(part, scopesAndParameters);
  // A default is computed where the function is defined.
  if (scope?.name === "ParamList") scope = enclosing(scope.parent ?? scope, scopes);
  // A function's body runs later than it stands, so what is outside of it may come below it.
  let later = false;
  for (;;) {
    const from = known.get(scope)?.get(name);
    const inTime = from !== undefined && (later || from <= part.from);
    if (inTime) return undefined;
    // A class whose body has not bound the name yet reads it from outside.
    if (from !== undefined && scope?.name !== "ClassDefinition") return "is used before it is given a value";
    if (!scope) break;
    later ||= scope.name === "FunctionDefinition" || scope.name === "LambdaExpression";
    scope = enclosing(scope, scopes);
  }
  return notebookGlobals.has(name) ? undefined : "is never given a value";
}

interface NameBinding {
  readonly name: PythonNode;
  /** From where on the name may be read. */
  readonly from: number;
  readonly scope: PythonNode | undefined;
}

/** The names that a part gives a value to. */
export function nameBindings(part: PythonNode): NameBinding[] {
  const { children: parts } = part;
  const outside = enclosing(part, walls);
  const bound = (
    names: readonly PythonNode[],
    where: Partial<Omit<NameBinding, "name">> = {},
  ): NameBinding[] => names.map((name) => ({ name, scope: outside, from: name.from, ...where }));
  switch (part.name) {
    case "AssignStatement":
      return bound(boundNames(targetsOf(part)), { from: part.to });
    case "ForStatement":
      return bound(boundNames(loopTargets(part)));
    case "FunctionDefinition":
    case "ClassDefinition":
      return bound(parts.filter(isName).slice(0, 1));
    case "ParamList":
      return bound(parametersOf(part), { scope: part.parent, from: 0 });
    case "WithStatement":
    case "TryStatement":
      return bound(parts.filter((one, at) => isName(one) && parts[at - 1]?.name === "as"));
    case "ImportStatement":
      return bound(importedNames(part));
    case "NamedExpression":
      return bound(parts.filter(isName).slice(0, 1));
    case "CapturePattern":
    case "AsPattern":
      return bound(parts.filter(isName));
    case "ArgList":
      return bound(boundNames(loopTargets(part)), { from: part.from });
    default:
      return comprehensions.includes(part.name)
        ? bound(boundNames(loopTargets(part)), { scope: part, from: 0 })
        : [];
  }
}

const isName = ({ name }: PythonNode) => name === "VariableName";

/** A default value that is a name follows `=`. */
export const parametersOf = ({ children: parts }: PythonNode): PythonNode[] =>
  parts.filter((part, at) => isName(part) && parts[at - 1]?.name !== "AssignOp");

/** `import a.b as c, d` binds c and d; `import a.b` binds a. */
function importedNames({ children: parts }: PythonNode): PythonNode[] {
  const start = parts.findIndex(({ name }) => name === "import");
  const items: PythonNode[][] = [[]];
  for (const part of parts.slice(start + 1)) {
    if (part.name === ",") items.push([]);
    else if (isName(part) || part.name === "as") items.at(-1)?.push(part);
  }
  return items.flatMap((item) => {
    const alias = item.findIndex(({ name }) => name === "as");
    return alias < 0 ? item.slice(0, 1) : item.slice(alias + 1);
  });
}

function isRead(part: PythonNode, source: string): boolean {
  const { parent: above } = part;
  switch (above?.name) {
    case "ImportStatement":
      return false;
    case "Decorator":
      return before(part)?.name === "At";
    case "ArgList":
    case "KeywordPattern": {
      const next = after(part);
      return !(next?.name === "AssignOp" && source.slice(next.from, next.to) === "=");
    }
    default:
      return true;
  }
}
