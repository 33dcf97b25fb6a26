/**
 * A node of the parser's tree of plain objects. An expression is an object with one key, its kind, such as
 * `{ column: { name: …, table: … } }`; clauses are objects with several keys.
 */
export type SyntaxNode = { readonly [key: string]: unknown };

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const nodesOf = (value: unknown): readonly SyntaxNode[] =>
  Array.isArray(value) ? value.filter(isNode) : [];

interface SyntaxExpression {
  readonly kind: string;
  readonly body: SyntaxNode;
}

/** The kind and the body of an expression, without surrounding comments and parentheses. */
export function expressionOf(value: unknown): SyntaxExpression | undefined {
  if (!isNode(value)) return undefined;
  const kinds = Object.keys(value);
  const kind = kinds[0];
  if (kind === undefined || kinds.length !== 1) return undefined;
  const body = value[kind];
  if (kind === "annotated" && isNode(body)) return expressionOf(body.this);
  return { kind, body: isNode(body) ? body : {} };
}

/** A name in the tree. Its offsets are missing if the parser does not keep them. */
export interface Identifier {
  readonly name: string;
  readonly quoted: boolean;
  /** In characters, not UTF-16 units. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export function identifierOf(value: unknown): Identifier | undefined {
  if (!isNode(value) || typeof value.name !== "string" || typeof value.quoted !== "boolean") return undefined;
  if ("args" in value) return undefined;
  const span = value.span;
  const [from, to] = isNode(span) ? [span.start, span.end] : [];
  return {
    name: value.name,
    quoted: value.quoted,
    from: typeof from === "number" ? from : undefined,
    to: typeof to === "number" ? to : undefined,
  };
}

export const identifiersOf = (value: unknown): readonly Identifier[] =>
  nodesOf(value).flatMap((node) => identifierOf(node) ?? []);

/** Calls a function for every node of the tree, parents first. */
export function everyNode(value: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const part of value) everyNode(part, visit);
  else if (isNode(value)) {
    visit(value);
    for (const part of Object.values(value)) {
      if (typeof part === "object" && part !== null) everyNode(part, visit);
    }
  }
}
