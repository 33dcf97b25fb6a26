import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import type { Refs } from "../schema/index.ts";
import { operationOf } from "./operation.ts";
import { sharedParameters } from "./parameters.ts";
import { problemSchemas, problems, sharedHeaders } from "./problems.ts";
import { about, tags } from "./prose.ts";
import type { OpenApiDocument, OperationMethod, OperationObject, PathItem } from "./types.ts";
import { webhooksOf } from "./webhooks.ts";

export interface OpenApiOptions {
  /** The server's version. */
  readonly version: string;
  /** Default: the server that serves the document. */
  readonly serverUrl?: string;
}

/** The whole API as OpenAPI 3.1: the same bytes for the same endpoints and options. */
export function openApiDocument({ version, serverUrl = "/" }: OpenApiOptions): OpenApiDocument {
  const refs: Refs = new Map(Object.entries(problemSchemas));
  const paths = pathsOf(Object.entries<Endpoint>(endpoints), refs);
  const webhooks = webhooksOf(refs);
  return {
    openapi: "3.1.0",
    info: {
      title: "Lakehelm",
      version,
      description: about,
      contact: { name: "Lakehelm" },
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl, description: "This server" }],
    security: [{ bearer: [] }, { serviceAuth: [] }],
    tags,
    paths,
    webhooks,
    components: {
      headers: sharedHeaders,
      parameters: sharedParameters,
      responses: byName(Object.values(problems)),
      schemas: byName(refs),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The service token, a JWT from `/api/v1/auth/token`, or a workspace user's token.",
        },
        serviceAuth: {
          type: "apiKey",
          in: "header",
          name: "X-Service-Auth",
          description: "The same tokens, with or without `Bearer `. Takes precedence over `Authorization`.",
        },
      },
    },
  };
}

const methodOrder = ["get", "post", "put", "patch", "delete"] as const;

function pathsOf(named: [string, Endpoint][], refs: Refs): Record<string, PathItem> {
  const paths = new Map<string, Map<OperationMethod, OperationObject>>();
  for (const [name, endpoint] of named) {
    const path = printedPath(endpoint.path);
    const operations = paths.get(path) ?? new Map<OperationMethod, OperationObject>();
    paths.set(path, operations);
    operations.set(endpoint.method.toLowerCase() as OperationMethod, operationOf(name, endpoint, refs));
  }
  const items = [...paths].map(([path, operations]): [string, PathItem] => {
    const inOrder = methodOrder.flatMap((method) => {
      const operation = operations.get(method);
      return operation ? [[method, operation]] : [];
    });
    return [path, Object.fromEntries(inOrder)];
  });
  return byName(items);
}

/**
 * `{path*}` is not OpenAPI. The trailing slash is removed: linters reject it, and the server accepts both.
 */
const printedPath = (path: string) => path.replace("*}", "}").replace(/(?<=.)\/$/, "");

function byName<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
