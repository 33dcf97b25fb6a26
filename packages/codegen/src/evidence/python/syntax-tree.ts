import { parser } from "@lezer/python";

/** A piece of Python as the parser sees it. Offsets count from the start of the notebook. */
export interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly above: Part | undefined;
  readonly parts: Part[];
}

/** The parser's name for what it could not read. */
export const unread = "⚠";

/** All parts of a cell, each before what it is made of: rules go through the list, so no depth can exhaust them. */
export function readPython(code: string, offset: number): Part[] {
  const cursor = parser.parse(code).cursor();
  const all: Part[] = [];
  let above: Part | undefined;
  for (;;) {
    const { name, from, to } = cursor;
    const part: Part = { name, from: from + offset, to: to + offset, above, parts: [] };
    above?.parts.push(part);
    all.push(part);
    if (cursor.firstChild()) {
      above = part;
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return all;
      above = above?.above;
    }
  }
}

/** The nearest part above that has one of these names. */
export function enclosing(part: Part, names: ReadonlySet<string>): Part | undefined {
  let above = part.above;
  while (above && !names.has(above.name)) above = above.above;
  return above;
}

export const before = (part: Part): Part | undefined => part.above?.parts[part.above.parts.indexOf(part) - 1];

export const after = (part: Part): Part | undefined => part.above?.parts[part.above.parts.indexOf(part) + 1];

/** The parts of an assignment, a loop or an unpacking that names are bound in, however nested. */
export function boundNames(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => {
    if (part.name === "VariableName") return [part];
    return unpacking.has(part.name) ? boundNames(part.parts) : [];
  });
}

export const unpacking: ReadonlySet<string> = new Set([
  "TupleExpression",
  "ArrayExpression",
  "ParenthesizedExpression",
]);

/** What stands left of the last `=`: `a, b = c = value` binds a, b and c. */
export function targetsOf({ parts }: Part): Part[] {
  const last = parts.findLastIndex(({ name }) => name === "AssignOp");
  return parts.slice(0, Math.max(last, 0)).filter(({ name }) => name !== "TypeDef" && name !== "AssignOp");
}

/** What stands between each `for` and its `in`. */
export function loopTargets({ parts }: Part): Part[] {
  let inTarget = false;
  return parts.filter(({ name }) => {
    if (name === "for") inTarget = true;
    else if (name === "in" || name === "Body") inTarget = false;
    else return inTarget;
    return false;
  });
}
