import { parser } from "@lezer/python";

/** A piece of Python as the parser sees it. Offsets count from the start of the notebook. */
export interface PythonNode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly parent: PythonNode | undefined;
  readonly children: PythonNode[];
}

/** The parser's name for what it could not read. */
export const errorNode = "⚠";

/** All parts of a cell, each before what it is made of: rules go through the list, so no depth can exhaust them. */
export function parsePython(code: string, offset: number): PythonNode[] {
  const cursor = parser.parse(code).cursor();
  const all: PythonNode[] = [];
  let above: PythonNode | undefined;
  for (;;) {
    const { name, from, to } = cursor;
    const part: PythonNode = { name, from: from + offset, to: to + offset, parent: above, children: [] };
    above?.children.push(part);
    all.push(part);
    if (cursor.firstChild()) {
      above = part;
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return all;
      above = above?.parent;
    }
  }
}

/** The nearest part above that has one of these names. */
export function enclosing(part: PythonNode, names: ReadonlySet<string>): PythonNode | undefined {
  let above = part.parent;
  while (above && !names.has(above.name)) above = above.parent;
  return above;
}

export const before = (part: PythonNode): PythonNode | undefined =>
  part.parent?.children[part.parent.children.indexOf(part) - 1];

export const after = (part: PythonNode): PythonNode | undefined =>
  part.parent?.children[part.parent.children.indexOf(part) + 1];

/** The parts of an assignment, a loop or an unpacking that names are bound in, however nested. */
export function boundNames(parts: readonly PythonNode[]): PythonNode[] {
  return parts.flatMap((part) => {
    if (part.name === "VariableName") return [part];
    return unpacking.has(part.name) ? boundNames(part.children) : [];
  });
}

export const unpacking: ReadonlySet<string> = new Set([
  "TupleExpression",
  "ArrayExpression",
  "ParenthesizedExpression",
]);

/** What stands left of the last `=`: `a, b = c = value` binds a, b and c. */
export function targetsOf({ children: parts }: PythonNode): PythonNode[] {
  const last = parts.findLastIndex(({ name }) => name === "AssignOp");
  return parts.slice(0, Math.max(last, 0)).filter(({ name }) => name !== "TypeDef" && name !== "AssignOp");
}

/** What stands between each `for` and its `in`. */
export function loopTargets({ children: parts }: PythonNode): PythonNode[] {
  let inTarget = false;
  return parts.filter(({ name }) => {
    if (name === "for") inTarget = true;
    else if (name === "in" || name === "Body") inTarget = false;
    else return inTarget;
    return false;
  });
}
