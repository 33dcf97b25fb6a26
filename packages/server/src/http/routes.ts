import type { Endpoint } from "@lakehelm/contract";

/** `/a/{id}/{path*}` in Fastify's words, and as a pattern that tells whether a path is one of ours. */
export const routeOf = ({ path }: Endpoint) =>
  path
    .replace(/\{\w+\*\}/, "*")
    .replace(/\{(\w+)\}/g, ":$1")
    .replace(/(.)\/$/, "$1");

const patternOf = (endpoint: Endpoint) =>
  new RegExp(`^${routeOf(endpoint).replace(/\*/g, ".+").replace(/:\w+/g, "[^/]+")}/?$`);

/** The methods that a path would answer to; none for a path that is not ours. */
export function allowedMethods(endpoints: readonly Endpoint[]): (path: string) => string[] {
  const table = endpoints.map((endpoint) => ({ pattern: patternOf(endpoint), method: endpoint.method }));
  return (path) => [
    ...new Set(table.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ];
}
