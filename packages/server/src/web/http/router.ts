import type { Endpoint } from "@lakehelm/contract";

export interface EndpointRoute<T> {
  readonly endpoint: Endpoint;
  readonly target: T;
}

/** The result of routing: a route, a path without this method, or nothing. */
export type Match<T> =
  | { readonly kind: "found"; readonly route: EndpointRoute<T>; readonly params: Record<string, string> }
  | { readonly kind: "wrongMethod"; readonly allowed: readonly string[] }
  | { readonly kind: "malformed" }
  | { readonly kind: "unknown" };

interface Node<T> {
  readonly fixed: Map<string, Node<T>>;
  named: Node<T> | undefined;
  /** Matches the rest of the path, slashes included. */
  rest: Node<T> | undefined;
  readonly methods: Map<string, NamedRoute<T>>;
}

/** A route and the names of its path parameters, in order. */
type NamedRoute<T> = EndpointRoute<T> & { readonly names: readonly string[] };

const newNode = <T>(): Node<T> => ({
  fixed: new Map(),
  named: undefined,
  rest: undefined,
  methods: new Map(),
});
const unknown = { kind: "unknown" } as const;
const malformed = { kind: "malformed" } as const;

/**
 * A tree of path segments. A fixed segment wins over a parameter with the same method; a trailing slash is optional.
 * Segments are decoded after splitting, so that `%2F` stays inside its segment.
 */
export function createRouter<T>(
  routes: readonly EndpointRoute<T>[],
): (method: string, path: string) => Match<T> {
  const root = newNode<T>();
  for (const route of routes) add(root, route);

  return (method, path) => {
    // The first segment is empty: it is before the leading slash.
    const segments = path.split("/");
    if (segments.length > 2 && segments[segments.length - 1] === "") segments.pop();
    const values: string[] = [];
    const otherMethods: Node<T>[] = [];
    // HEAD is GET without the body, which Node omits.
    const found = descend(root, method === "HEAD" ? "GET" : method, segments, 1, values, otherMethods);
    if (!found)
      return otherMethods.length === 0 ? unknown : { kind: "wrongMethod", allowed: methodsOf(otherMethods) };
    if (values.length === 0) return { kind: "found", route: found, params: {} };
    const params = decoded(found.names, values);
    return params ? { kind: "found", route: found, params } : malformed;
  };
}

function add<T>(root: Node<T>, route: EndpointRoute<T>): void {
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

/** Returns the route. Adds its path values to `values`, and nodes that lack the method to `otherMethods`. */
function descend<T>(
  node: Node<T>,
  method: string,
  segments: readonly string[],
  at: number,
  values: string[],
  otherMethods: Node<T>[],
): NamedRoute<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return routeOf(node, method, otherMethods);
  const fixed = node.fixed.get(segment);
  const found = fixed && descend(fixed, method, segments, at + 1, values, otherMethods);
  if (found) return found;
  if (segment === "") return undefined;
  if (node.named) {
    values.push(segment);
    const below = descend(node.named, method, segments, at + 1, values, otherMethods);
    if (below) return below;
    values.pop();
  }
  if (!node.rest) return undefined;
  values.push(segments.slice(at).join("/"));
  return routeOf(node.rest, method, otherMethods);
}

function routeOf<T>(node: Node<T>, method: string, otherMethods: Node<T>[]): NamedRoute<T> | undefined {
  const found = node.methods.get(method);
  if (!found && node.methods.size > 0) otherMethods.push(node);
  return found;
}

function methodsOf<T>(nodes: readonly Node<T>[]): string[] {
  const methods = new Set(nodes.flatMap((node) => [...node.methods.keys()]));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

function decoded(names: readonly string[], values: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as string;
    const decoded = value.includes("%") ? decodedText(value) : value;
    if (decoded === undefined) return undefined;
    params[names[at] as string] = decoded;
  }
  return params;
}

function decodedText(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
