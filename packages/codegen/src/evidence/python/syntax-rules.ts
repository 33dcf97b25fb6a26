import { assignmentProblem, callProblem, parameterProblem } from "./bindings.ts";
import { keywords, unavailable } from "./builtins.ts";
import { formatStringProblem, literalProblem, mixedProblem } from "./strings.ts";
import { enclosing, errorNode, type PythonNode } from "./syntax-tree.ts";

type PythonRule = (node: PythonNode, source: string) => string | undefined;

const functions = new Set(["FunctionDefinition", "LambdaExpression", "ClassDefinition"]);
const loops = new Set(["ForStatement", "WhileStatement", ...functions]);

const inFunction: PythonRule = (node) =>
  enclosing(node, functions)?.name === "FunctionDefinition" ? undefined : "This is outside of a function.";

const inLoop: PythonRule = (node) =>
  enclosing(node, loops)?.name.endsWith("Statement") ? undefined : "This is outside of a loop.";

const always =
  (message: string): PythonRule =>
  () =>
    message;

/**
 * By the name of a node: the rule that checks it. The rules reject code that Python refuses but the parser, made for
 * editors, accepts. They also reject a few valid constructs that notebooks never need and that would hide mistakes.
 */
const rules: ReadonlyMap<string, PythonRule> = new Map<string, PythonRule>([
  [errorNode, always("Syntax error.")],
  ["String", literalProblem],
  ["FormatString", formatStringProblem],
  ["ContinuedString", mixedProblem],
  ["Number", ({ from, to }, source) => numberProblem(source.slice(from, to), source[to] ?? "")],
  ["StatementGroup", always("There are several statements on one line.")],
  ["PrintStatement", always("print is a function: its parentheses are missing.")],
  ["TypeDefinition", always("Type statements need Python 3.12.")],
  [
    "CompareOp",
    (node, source) => (source.slice(node.from, node.to) === "<>" ? "Use != instead of <>." : undefined),
  ],
  ["BinaryExpression", comparisonProblem],
  ["ReturnStatement", inFunction],
  ["YieldStatement", inFunction],
  ["YieldExpression", inFunction],
  ["AwaitExpression", always("await needs an asynchronous function, and notebooks have none.")],
  ["BreakStatement", inLoop],
  ["ContinueStatement", inLoop],
  ["ScopeStatement", inFunction],
  ["TryStatement", tryProblem],
  [
    "IfStatement",
    ({ children }) => (follows(children, "elif", "Body") ? "An elif has no condition." : undefined),
  ],
  ["ImportStatement", importProblem],
  ["AssignStatement", assignmentProblem],
  ["UpdateStatement", assignmentProblem],
  ["ForStatement", assignmentProblem],
  ["DeleteStatement", assignmentProblem],
  ["NamedExpression", assignmentProblem],
  ["ExpressionStatement", ({ children }) => starProblem(children)],
  ["ParamList", parameterProblem],
  ["ArgList", callProblem],
  ["PropertyName", (node, source) => memberProblem(source.slice(node.from, node.to))],
]);

export const syntaxProblem = (node: PythonNode, source: string): string | undefined =>
  rules.get(node.name)?.(node, source);

function numberProblem(text: string, next: string): string | undefined {
  if (/[\w.]/.test(next)) return "A number is not separated from what follows it.";
  if (/^0[0-9_]*[1-9]/.test(text) && !/[.ej]/i.test(text)) return "A number begins with a zero.";
  return /__|_$|_[^\da-f]/i.test(text) ? "Underscores of a number must be between digits." : undefined;
}

const follows = (nodes: readonly PythonNode[], first: string, second: string) =>
  nodes.some(({ name }, at) => name === first && nodes[at + 1]?.name === second);

function tryProblem({ children: nodes }: PythonNode): string | undefined {
  const handlers = nodes.filter(({ name }) => name === "except").length;
  if (handlers === 0 && !nodes.some(({ name }) => name === "finally")) {
    return "A try has neither except nor finally.";
  }
  const bare = nodes.findIndex(({ name }, at) => name === "except" && nodes[at + 1]?.name === "Body");
  const more = nodes.slice(bare + 1).some(({ name }) => name === "except");
  if (bare >= 0 && more) return "An except without a class must be the last one.";
  return follows(nodes, ",", "VariableName") ? 'An except names its error with "as".' : undefined;
}

function importProblem({ children: nodes }: PythonNode): string | undefined {
  if (nodes.at(-1)?.name === ",") return "An import ends with a comma.";
  return nodes.at(-1)?.name === "*" ? "An import with a star hides the names that it imports." : undefined;
}

function starProblem(nodes: readonly PythonNode[]): string | undefined {
  const starred = nodes.some(({ name }) => name === "*") && !nodes.some(({ name }) => name === ",");
  return starred ? "A star is used where nothing can be unpacked." : undefined;
}

function comparisonProblem({ children: nodes }: PythonNode): string | undefined {
  const [, operator, right] = [nodes[0], nodes.at(-2), nodes.at(-1)];
  const compares = operator && ["CompareOp", "in", "is", "not"].includes(operator.name);
  return compares && right?.children[0]?.name === "not"
    ? '"not" cannot follow a comparison operator.'
    : undefined;
}

function memberProblem(text: string): string | undefined {
  if (keywords.has(text)) return `A member cannot be named ${text}, which is a keyword.`;
  const reason = Object.hasOwn(unavailable, text) ? unavailable[text] : undefined;
  return reason && `The member ${text} cannot be used: ${reason}.`;
}
