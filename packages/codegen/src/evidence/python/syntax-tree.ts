import { parser } from "@lezer/python";

/** A node of the syntax tree. Offsets count from the start of the notebook. */
export interface PythonNode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly parent: PythonNode | undefined;
  readonly children: PythonNode[];
}

/** The parser's name for text that it could not parse. */
export const errorNode = "⚠";

/**
 * All nodes of a cell, each before its children. Rules iterate over this list, so that deep nesting cannot overflow the
 * stack.
 */
export function parsePython(code: string, offset: number): PythonNode[] {
  const cursor = parser.parse(code).cursor();
  const all: PythonNode[] = [];
  let parent: PythonNode | undefined;
  for (;;) {
    const { name, from, to } = cursor;
    const node: PythonNode = { name, from: from + offset, to: to + offset, parent, children: [] };
    parent?.children.push(node);
    all.push(node);
    if (cursor.firstChild()) {
      parent = node;
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return all;
      parent = parent?.parent;
    }
  }
}

/** The nearest ancestor with one of these names. */
export function enclosing(node: PythonNode, names: ReadonlySet<string>): PythonNode | undefined {
  let parent = node.parent;
  while (parent && !names.has(parent.name)) parent = parent.parent;
  return parent;
}

export const before = (node: PythonNode): PythonNode | undefined =>
  node.parent?.children[node.parent.children.indexOf(node) - 1];

export const after = (node: PythonNode): PythonNode | undefined =>
  node.parent?.children[node.parent.children.indexOf(node) + 1];

/** The names that an assignment, a loop or an unpacking binds, at any depth. */
export function boundNames(nodes: readonly PythonNode[]): PythonNode[] {
  return nodes.flatMap((node) => {
    if (node.name === "VariableName") return [node];
    return unpacking.has(node.name) ? boundNames(node.children) : [];
  });
}

export const unpacking: ReadonlySet<string> = new Set([
  "TupleExpression",
  "ArrayExpression",
  "ParenthesizedExpression",
]);

/** The nodes left of the last `=`: `a, b = c = value` binds a, b and c. */
export function targetsOf({ children: nodes }: PythonNode): PythonNode[] {
  const last = nodes.findLastIndex(({ name }) => name === "AssignOp");
  return nodes.slice(0, Math.max(last, 0)).filter(({ name }) => name !== "TypeDef" && name !== "AssignOp");
}

/** The nodes between each `for` and its `in`. */
export function loopTargets({ children: nodes }: PythonNode): PythonNode[] {
  let inTarget = false;
  return nodes.filter(({ name }) => {
    if (name === "for") inTarget = true;
    else if (name === "in" || name === "Body") inTarget = false;
    else return inTarget;
    return false;
  });
}
