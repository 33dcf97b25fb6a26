import type { Endpoint } from "@lakehelm/contract";

export interface Route<T> {
  readonly endpoint: Endpoint;
  readonly target: T;
}

/** Where a request goes: to a route, to a path that does not take its method, or nowhere. */
export type Match<T> =
  | { readonly kind: "found"; readonly route: Route<T>; readonly params: Record<string, string> }
  | { readonly kind: "wrongMethod"; readonly allowed: readonly string[] }
  | { readonly kind: "malformed" }
  | { readonly kind: "unknown" };

interface Node<T> {
  readonly fixed: Map<string, Node<T>>;
  named: Node<T> | undefined;
  /** Takes the rest of the path, slashes included. */
  rest: Node<T> | undefined;
  readonly methods: Map<string, Route<T> & { readonly names: readonly string[] }>;
}

const newNode = <T>(): Node<T> => ({
  fixed: new Map(),
  named: undefined,
  rest: undefined,
  methods: new Map(),
});
const unknown = { kind: "unknown" } as const;
const malformed = { kind: "malformed" } as const;

/**
 * A tree of path segments: a fixed segment wins over a named one, and every path answers with and without
 * its trailing slash. Segments are decoded after they are split, so that `%2F` stays inside its segment.
 */
export function createRouter<T>(routes: readonly Route<T>[]): (method: string, path: string) => Match<T> {
  const root = newNode<T>();
  for (const route of routes) add(root, route);

  return (method, path) => {
    const segments = path.split("/");
    segments.shift();
    if (segments.length > 1 && segments.at(-1) === "") segments.pop();
    const values: string[] = [];
    const node = descend(root, segments, 0, values);
    if (!node) return unknown;
    // HEAD is GET without the body, which Node leaves out by itself.
    const found = node.methods.get(method === "HEAD" ? "GET" : method);
    if (!found) return { kind: "wrongMethod", allowed: [...node.methods.keys()] };
    if (values.length === 0) return { kind: "found", route: found, params: {} };
    const params = decoded(found.names, values);
    if (!params) return malformed;
    // No name of ours has a NUL in it, and PostgreSQL takes none.
    return path.includes("%00") ? unknown : { kind: "found", route: found, params };
  };
}

function add<T>(root: Node<T>, route: Route<T>): void {
  const names: string[] = [];
  let node = root;
  for (const segment of route.endpoint.path.split("/").filter(Boolean)) {
    const name = /^\{(\w+)(\*?)\}$/.exec(segment);
    if (!name) {
      const next = node.fixed.get(segment) ?? newNode<T>();
      node.fixed.set(segment, next);
      node = next;
      continue;
    }
    names.push(name[1] as string);
    if (name[2]) node = node.rest ??= newNode<T>();
    else node = node.named ??= newNode<T>();
  }
  node.methods.set(route.endpoint.method, { ...route, names });
}

function descend<T>(node: Node<T>, segments: string[], at: number, values: string[]): Node<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.methods.size > 0 ? node : undefined;
  const fixed = node.fixed.get(segment);
  const found = fixed && descend(fixed, segments, at + 1, values);
  if (found) return found;
  if (segment === "") return undefined;
  if (node.named) {
    values.push(segment);
    const below = descend(node.named, segments, at + 1, values);
    if (below) return below;
    values.pop();
  }
  if (!node.rest) return undefined;
  values.push(segments.slice(at).join("/"));
  return node.rest;
}

function decoded(names: readonly string[], values: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [at, value] of values.entries()) {
    const name = names[at] as string;
    try {
      params[name] = value.includes("%") ? decodeURIComponent(value) : value;
    } catch {
      return undefined;
    }
  }
  return params;
}
