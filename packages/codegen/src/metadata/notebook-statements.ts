import { literalText } from "../evidence/python/literals.ts";
import { enclosing, parsePython } from "../evidence/python/syntax-tree.ts";

const runs = new Set(["spark.sql", "change_tags", "remove_tag"]);

const functions = new Set(["FunctionDefinition"]);

/** The statements that a notebook runs, in order, read from its code; nothing where one is not a plain text. */
export function notebookStatements(content: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (const part of parsePython(content, 0)) {
    const [callee, given] = part.children;
    if (part.name !== "CallExpression" || !callee || !given) continue;
    if (!runs.has(content.slice(callee.from, callee.to))) continue;
    const argument = given.children[1];
    const handedOn = argument && content.slice(argument.from, argument.to) === "statement";
    // What a function of the notebook hands on was given to it as a text.
    if (handedOn && enclosing(part, functions)) continue;
    found.push(argument && literalText(argument, content));
  }
  return found;
}
