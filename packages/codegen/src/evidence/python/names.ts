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
const functionScopes = new Set(functions);

/** By scope and name: the offset from which code can read the name. The scope of the whole notebook is undefined. */
type Scopes = Map<PythonNode | undefined, Map<string, number>>;

/** Finds names that are read but never assigned, or are assigned only later. */
export function nameProblems(all: readonly PythonNode[], source: string): NameProblem[] {
  const textOf = ({ from, to }: PythonNode) => source.slice(from, to);
  const known: Scopes = new Map();
  const bindings = all.flatMap(nameBindings);
  for (const { name, from, scope } of bindings) {
    const names = known.get(scope) ?? new Map<string, number>();
    known.set(scope, names);
    names.set(textOf(name), Math.min(from, names.get(textOf(name)) ?? from));
  }
  // A name that is declared global or nonlocal counts as assigned.
  const declared = all
    .filter(({ name }) => name === "ScopeStatement")
    .flatMap(({ children }) => children.filter(isName));
  const declaredElsewhere = new Set(declared.map(textOf));
  return nameReads(all, source, bindings).flatMap((node) => {
    const name = textOf(node);
    const problem =
      builtins.has(name) || declaredElsewhere.has(name) ? undefined : readProblem(name, node, known);
    return problem ? [{ at: node.from, message: `The name ${shown(name)} ${problem}.` }] : [];
  });
}

/** The nodes that read names. */
export function nameReads(
  all: readonly PythonNode[],
  source: string,
  bindings = all.flatMap(nameBindings),
): PythonNode[] {
  const bound = new Set(bindings.map(({ name }) => name));
  return all.filter((node) => isName(node) && !bound.has(node) && isRead(node, source));
}

function readProblem(name: string, node: PythonNode, known: Scopes): string | undefined {
  let scope = enclosing(node, scopesAndParameters);
  // A default is evaluated where the function is defined.
  if (scope?.name === "ParamList") scope = enclosing(scope.parent ?? scope, scopes);
  // A function's body runs later, so it can read names that are assigned below it.
  let later = false;
  for (;;) {
    const from = known.get(scope)?.get(name);
    const inTime = from !== undefined && (later || from <= node.from);
    if (inTime) return undefined;
    // A class body that has not assigned the name yet reads it from the enclosing scope.
    if (from !== undefined && scope?.name !== "ClassDefinition") return "is used before it is assigned";
    if (!scope) break;
    later ||= scope.name === "FunctionDefinition" || scope.name === "LambdaExpression";
    scope = enclosing(scope, scopes);
  }
  return notebookGlobals.has(name) ? undefined : "is never assigned";
}

interface NameBinding {
  readonly name: PythonNode;
  /** The offset from which code can read the name. */
  readonly from: number;
  readonly scope: PythonNode | undefined;
}

/** The names that a node assigns. */
export function nameBindings(node: PythonNode): NameBinding[] {
  const { children: nodes } = node;
  const enclosingFunction = enclosing(node, functionScopes);
  const bound = (
    names: readonly PythonNode[],
    where: Partial<Omit<NameBinding, "name">> = {},
  ): NameBinding[] => names.map((name) => ({ name, scope: enclosingFunction, from: name.from, ...where }));
  switch (node.name) {
    case "AssignStatement":
      return bound(boundNames(targetsOf(node)), { from: node.to });
    case "ForStatement":
      return bound(boundNames(loopTargets(node)));
    case "FunctionDefinition":
    case "ClassDefinition":
      return bound(nodes.filter(isName).slice(0, 1));
    case "ParamList":
      return bound(parametersOf(node), { scope: node.parent, from: 0 });
    case "WithStatement":
    case "TryStatement":
      return bound(nodes.filter((one, at) => isName(one) && nodes[at - 1]?.name === "as"));
    case "ImportStatement":
      return bound(importedNames(node));
    case "NamedExpression":
      return bound(nodes.filter(isName).slice(0, 1));
    case "CapturePattern":
    case "AsPattern":
      return bound(nodes.filter(isName));
    case "ArgList":
      return bound(boundNames(loopTargets(node)), { from: node.from });
    default:
      return comprehensions.includes(node.name)
        ? bound(boundNames(loopTargets(node)), { scope: node, from: 0 })
        : [];
  }
}

const isName = ({ name }: PythonNode) => name === "VariableName";

/** A name after `=` is a default value, not a parameter. */
export const parametersOf = ({ children: nodes }: PythonNode): PythonNode[] =>
  nodes.filter((node, at) => isName(node) && nodes[at - 1]?.name !== "AssignOp");

/** `import a.b as c, d` binds c and d; `import a.b` binds a. */
function importedNames({ children: nodes }: PythonNode): PythonNode[] {
  const start = nodes.findIndex(({ name }) => name === "import");
  const items: PythonNode[][] = [[]];
  for (const node of nodes.slice(start + 1)) {
    if (node.name === ",") items.push([]);
    else if (isName(node) || node.name === "as") items.at(-1)?.push(node);
  }
  return items.flatMap((item) => {
    const alias = item.findIndex(({ name }) => name === "as");
    return alias < 0 ? item.slice(0, 1) : item.slice(alias + 1);
  });
}

function isRead(node: PythonNode, source: string): boolean {
  const { parent } = node;
  switch (parent?.name) {
    case "ImportStatement":
      return false;
    case "Decorator":
      return before(node)?.name === "At";
    case "ArgList":
    case "KeywordPattern": {
      const next = after(node);
      return !(next?.name === "AssignOp" && source.slice(next.from, next.to) === "=");
    }
    default:
      return true;
  }
}
