import { assignmentProblem, callProblem, parameterProblem } from "./bindings.ts";
import { keywords, unavailable } from "./builtins.ts";
import { formatStringProblem, literalProblem, mixedProblem } from "./strings.ts";
import { enclosing, errorNode, type PythonNode } from "./syntax-tree.ts";

type PythonRule = (part: PythonNode, source: string) => string | undefined;

const functions = new Set(["FunctionDefinition", "LambdaExpression", "ClassDefinition"]);
const loops = new Set(["ForStatement", "WhileStatement", ...functions]);

const inFunction: PythonRule = (part) =>
  enclosing(part, functions)?.name === "FunctionDefinition" ? undefined : "It stands outside of a function.";

const inLoop: PythonRule = (part) =>
  enclosing(part, loops)?.name.endsWith("Statement") ? undefined : "It stands outside of a loop.";

const refused =
  (message: string): PythonRule =>
  () =>
    message;

/**
 * What Python refuses and the parser, made for editors, lets pass; and a few things that Python takes but that
 * these notebooks never need and that would hide mistakes. By the name of the part that the rule looks at.
 */
const rules: ReadonlyMap<string, PythonRule> = new Map<string, PythonRule>([
  [errorNode, refused("The syntax is wrong here.")],
  ["String", literalProblem],
  ["FormatString", formatStringProblem],
  ["ContinuedString", mixedProblem],
  ["Number", ({ from, to }, source) => numberProblem(source.slice(from, to), source[to] ?? "")],
  ["StatementGroup", refused("There are several statements on one line.")],
  ["PrintStatement", refused("print is a function: its parentheses are missing.")],
  ["TypeDefinition", refused("Type statements need Python 3.12.")],
  [
    "CompareOp",
    (part, source) => (source.slice(part.from, part.to) === "<>" ? "<> is written !=." : undefined),
  ],
  ["BinaryExpression", comparisonProblem],
  ["ReturnStatement", inFunction],
  ["YieldStatement", inFunction],
  ["YieldExpression", inFunction],
  ["AwaitExpression", refused("await needs an asynchronous function, which a notebook has no use for.")],
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
  ["PropertyName", (part, source) => memberProblem(source.slice(part.from, part.to))],
]);

export const syntaxProblem = (part: PythonNode, source: string): string | undefined =>
  rules.get(part.name)?.(part, source);

function numberProblem(text: string, next: string): string | undefined {
  if (/[\w.]/.test(next)) return "A number runs into what follows it.";
  if (/^0[0-9_]*[1-9]/.test(text) && !/[.ej]/i.test(text)) return "A number begins with a zero.";
  return /__|_$|_[^\da-f]/i.test(text) ? "The underscores of a number stand between its digits." : undefined;
}

const follows = (parts: readonly PythonNode[], first: string, second: string) =>
  parts.some(({ name }, at) => name === first && parts[at + 1]?.name === second);

function tryProblem({ children: parts }: PythonNode): string | undefined {
  const handlers = parts.filter(({ name }) => name === "except").length;
  if (handlers === 0 && !parts.some(({ name }) => name === "finally")) {
    return "A try has neither except nor finally.";
  }
  const bare = parts.findIndex(({ name }, at) => name === "except" && parts[at + 1]?.name === "Body");
  const more = parts.slice(bare + 1).some(({ name }) => name === "except");
  if (bare >= 0 && more) return "An except without a class must be the last one.";
  return follows(parts, ",", "VariableName") ? "An except names its error with as." : undefined;
}

function importProblem({ children: parts }: PythonNode): string | undefined {
  if (parts.at(-1)?.name === ",") return "An import ends with a comma.";
  return parts.at(-1)?.name === "*" ? "An import of everything hides which names there are." : undefined;
}

function starProblem(parts: readonly PythonNode[]): string | undefined {
  const starred = parts.some(({ name }) => name === "*") && !parts.some(({ name }) => name === ",");
  return starred ? "A star stands where nothing can be unpacked." : undefined;
}

function comparisonProblem({ children: parts }: PythonNode): string | undefined {
  const [, operator, right] = [parts[0], parts.at(-2), parts.at(-1)];
  const compares = operator && ["CompareOp", "in", "is", "not"].includes(operator.name);
  return compares && right?.children[0]?.name === "not" ? "A not stands behind a comparison." : undefined;
}

function memberProblem(text: string): string | undefined {
  if (keywords.has(text)) return `A member is called ${text}, which is a keyword.`;
  const reason = Object.hasOwn(unavailable, text) ? unavailable[text] : undefined;
  return reason && `The member ${text} cannot be used: ${reason}.`;
}
