import type { Endpoint } from "../endpoint.ts";
import type { JsonSchema, Refs } from "../schema/index.ts";
import type { Parameter, Reference } from "./types.ts";

const text: JsonSchema = { type: "string" };

/** Parameters that many endpoints share. */
export const sharedParameters: Readonly<Record<string, Parameter>> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes a retry safe: for 24 hours the same key with the same request returns the first response. With a different request it returns 409.",
    schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "The `ETag` of the version that you read. Returns 412 if there is a newer version.",
    schema: text,
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description:
      "Your id for this request: up to 128 printable characters without spaces. Any other value is replaced. It is returned, and appears in the log and on events.",
    schema: text,
  },
};

const shared = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` });

export function parametersOf(endpoint: Endpoint, refs: Refs): (Parameter | Reference)[] {
  const changes = endpoint.method !== "GET" && endpoint.method !== "POST";
  return [
    ...pathParameters(endpoint, refs),
    ...queryParameters(endpoint, refs),
    ...Object.entries(endpoint.headers ?? {}).map(
      ([name, description]): Parameter => ({ name, in: "header", description, schema: text }),
    ),
    ...(endpoint.creates ? [shared("IdempotencyKey")] : []),
    ...(endpoint.versioned && changes ? [shared("IfMatch")] : []),
    shared("RequestId"),
  ];
}

function pathParameters({ path, params }: Endpoint, refs: Refs): Parameter[] {
  return [...path.matchAll(/\{(\w+)(\*?)\}/g)].map(([, name = "", rest]) => {
    const { description, ...schema } = params?.[name]?.jsonSchema(refs) ?? { ...text, minLength: 1 };
    return {
      name,
      in: "path",
      required: true,
      description: rest
        ? "The rest of the path. It may contain slashes."
        : ((description as string | undefined) ?? pathDescription(name)),
      schema,
    };
  });
}

const pathDescription = (name: string) =>
  name.endsWith("_id") ? `Identifies the ${words(name.slice(0, -3))}.` : `The ${words(name)}.`;

const words = (name: string) => name.replaceAll("_", " ");

function queryParameters({ query = {} }: Endpoint, refs: Refs): Parameter[] {
  return Object.entries(query).map(([name, field]) => {
    const { description, ...schema } = field.jsonSchema(refs);
    return {
      name,
      in: "query",
      ...(field.presence === "required" && { required: true }),
      description: (description as string | undefined) ?? `Only items with this ${name}.`,
      schema,
    };
  });
}
