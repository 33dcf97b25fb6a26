import type { Endpoint } from "./endpoint.ts";
import { type Deprecation, ModelSchema, parseQuery } from "./schema/index.ts";

/** The deprecated parts of an endpoint. */
export interface DeprecatedParts {
  /** Deprecations that apply to every answer: of the endpoint itself, or of a field of its response. */
  readonly always: readonly Deprecation[];
  readonly query: ReadonlyMap<string, Deprecation>;
  /** Deprecations of fields of the body. */
  readonly body: ReadonlyMap<string, Deprecation>;
}

/** Undefined if nothing of the endpoint is deprecated. */
export function deprecatedParts({
  deprecated,
  query = {},
  body,
  response,
}: Endpoint): DeprecatedParts | undefined {
  const parts = {
    always: [...(deprecated ? [deprecated] : []), ...deprecationsIn(fieldsOf(response)).values()],
    query: deprecationsIn(query),
    body: deprecationsIn(fieldsOf(body)),
  };
  return parts.always.length + parts.query.size + parts.body.size > 0 ? parts : undefined;
}

const fieldsOf = (schema: unknown) => (schema instanceof ModelSchema ? schema.fields : {});

function deprecationsIn(fields: Record<string, { deprecation: Deprecation | undefined }>) {
  return new Map(
    Object.entries(fields).flatMap(([name, { deprecation }]) => (deprecation ? [[name, deprecation]] : [])),
  );
}

/** The headers of an answer to a request that uses deprecated parts; empty if it uses none. */
export function deprecationHeaders(
  { always, query, body }: DeprecatedParts,
  url: string,
  sentBody: Uint8Array | undefined,
): Readonly<Record<string, string>> {
  const used = [
    ...always,
    ...(query.size > 0 ? namedIn(query, queryNames(url)) : []),
    ...(body.size > 0 ? namedIn(body, bodyNames(sentBody)) : []),
  ];
  if (used.length === 0) return {};
  const first = (of: (one: Deprecation) => string) =>
    new Date(Math.min(...used.map((one) => Date.parse(of(one)))));
  const links = new Set(used.map(({ link }) => `<${link}>; rel="deprecation"; type="text/html"`));
  return {
    // RFC 9745: a date as a structured field. RFC 8594: an HTTP date.
    deprecation: `@${first(({ since }) => since).getTime() / 1000}`,
    sunset: first(({ sunset }) => sunset).toUTCString(),
    link: [...links].join(", "),
  };
}

const namedIn = (parts: ReadonlyMap<string, Deprecation>, names: readonly string[]) =>
  names.flatMap((name) => parts.get(name) ?? []);

function queryNames(url: string): string[] {
  const at = url.indexOf("?");
  return at < 0 ? [] : [...parseQuery(url.slice(at + 1))].map(([name]) => name);
}

/** The keys that the caller sent: a validated body also has keys with a default. */
function bodyNames(sent: Uint8Array | undefined): string[] {
  try {
    return Object.keys(Object(JSON.parse(new TextDecoder().decode(sent))));
  } catch {
    return [];
  }
}
