import type { JsonSchema } from "../schema/index.ts";
import type { Header, Reference, ResponseObject } from "./types.ts";

/** The schemas of errors. Existing clients know the validation schemas by these names. */
export const problemSchemas: Readonly<Record<string, JsonSchema>> = {
  Problem: {
    type: "object",
    properties: { detail: { type: "string", description: "What went wrong, in one sentence." } },
    required: ["detail"],
  },
  HTTPValidationError: {
    type: "object",
    properties: {
      detail: {
        type: "array",
        items: { $ref: "#/components/schemas/ValidationError" },
        description: "One entry for each problem: path first, then query, then body. It ends after 100.",
      },
    },
    required: ["detail"],
  },
  ValidationError: {
    type: "object",
    properties: {
      type: { type: "string", description: "The type of error, for example `missing`." },
      loc: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "integer" }] },
        description: "The location: `body`, `query` or `path`, then the path to the value.",
      },
      msg: { type: "string", description: "What is wrong, such as `Field required`." },
      input: { description: "The value that was sent." },
      ctx: { type: "object", additionalProperties: true, description: "The values in the message." },
    },
    required: ["type", "loc", "msg", "input"],
  },
};

export const sharedHeaders: Readonly<Record<string, Header>> = {
  DryRun: {
    description: "`true` if the request was a dry run: nothing was written.",
    schema: { type: "string", enum: ["true"] },
  },
  ETag: {
    description: "The version of the resource, for `If-Match`.",
    schema: { type: "string" },
  },
  IdempotencyReplayed: {
    description:
      "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
  IgnoredParameters: {
    description: "The query parameters that this list does not know and has ignored.",
    schema: { type: "string" },
  },
  RateLimit: {
    description:
      'If your requests are limited: `r` are left, and all of them are available again in `t` seconds, such as `"requests";r=412;t=19`.',
    schema: { type: "string" },
  },
  RateLimitPolicy: {
    description:
      'If your requests are limited: `q` requests in `w` seconds, such as `"requests";q=600;w=60`.',
    schema: { type: "string" },
  },
  RequestId: {
    description: "The id of this request: yours, or a generated one.",
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "Seconds to wait before a retry.",
    schema: { type: "integer", minimum: 0 },
  },
  WwwAuthenticate: { description: "`Bearer`.", schema: { type: "string" } },
};

export const header = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });
export const requestId = { "X-Request-Id": header("RequestId") };

export const rateLimit = {
  RateLimit: header("RateLimit"),
  "RateLimit-Policy": header("RateLimitPolicy"),
};

const retryAfter = { "Retry-After": header("RetryAfter") };

const problem = (
  description: string,
  detail: string,
  headers: Record<string, Reference> = {},
): ResponseObject => ({
  description,
  headers: { ...headers, ...requestId },
  content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" }, example: { detail } } },
});

const invalid: ResponseObject = {
  description: "The request is invalid. There is one entry for each problem.",
  headers: requestId,
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/HTTPValidationError" },
      example: {
        detail: [{ type: "missing", loc: ["body", "name"], msg: "Field required", input: { limit: 5 } }],
      },
    },
  },
};

/** By status: the name of the response, and the response. */
export const problems: Readonly<Record<number, readonly [name: string, response: ResponseObject]>> = {
  400: ["BadRequest", problem("The request cannot be parsed.", "There was an error parsing the body")],
  401: [
    "Unauthorized",
    problem("The token is missing or invalid.", "A valid token is needed.", {
      "WWW-Authenticate": header("WwwAuthenticate"),
    }),
  ],
  403: ["Forbidden", problem("The caller is not allowed to do this.", "This requires the role operator.")],
  404: ["NotFound", problem("The resource does not exist.", "There is no such connector.")],
  409: [
    "Conflict",
    problem(
      "The request conflicts with the current state.",
      "There is already a connector named orders-to-crm.",
    ),
  ],
  410: [
    "Gone",
    problem(
      "Retention has removed what was asked for.",
      "Retention has removed the events up to 5000. Read events 12 to 5000 in the archive, then continue with after=5000.",
    ),
  ],
  412: ["Stale", problem("`If-Match` names an older version.", "It was changed in the meantime.")],
  413: ["TooLarge", problem("The body is too large.", "The request body is too large.")],
  422: ["Invalid", invalid],
  429: [
    "TooMany",
    problem("Too many requests.", "Rate limit exceeded: 600 requests per minute.", retryAfter),
  ],
  431: [
    "HeadersTooLarge",
    problem("The URL and the headers are too large.", "The request's headers are too large."),
  ],
  500: [
    "Failed",
    problem("The server failed.", "Internal error. The server log has the details under this request id."),
  ],
  503: [
    "Unavailable",
    problem("A dependency cannot be reached or is not configured.", "The database is busy.", retryAfter),
  ],
};

export function problemReference(status: number): Reference {
  const [name] = problems[status] ?? [];
  if (name === undefined) throw new Error(`No response is defined for status ${status}.`);
  return { $ref: `#/components/responses/${name}` };
}
