import { literalText } from "../evidence/python/literals.ts";
import { enclosing, parsePython } from "../evidence/python/syntax-tree.ts";

const runners = new Set(["spark.sql", "change_tags", "remove_tag"]);

const functions = new Set(["FunctionDefinition"]);

/**
 * The statements that a notebook runs, in order, read from its code; undefined for an argument that is not a literal.
 */
export function notebookStatements(content: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (const node of parsePython(content, 0)) {
    const [callee, args] = node.children;
    if (node.name !== "CallExpression" || !callee || !args) continue;
    if (!runners.has(content.slice(callee.from, callee.to))) continue;
    const argument = args.children[1];
    const isForwarded = argument && content.slice(argument.from, argument.to) === "statement";
    // The text is an argument of this function, and is read at the function's call.
    if (isForwarded && enclosing(node, functions)) continue;
    found.push(argument && literalText(argument, content));
  }
  return found;
}
