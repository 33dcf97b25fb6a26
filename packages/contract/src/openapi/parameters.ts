import { acceptsDryRun, type Endpoint } from "../endpoint.ts";
import type { JsonSchema, Refs } from "../schema/index.ts";
import type { Parameter, Reference } from "./types.ts";

const text: JsonSchema = { type: "string" };

/** Parameters that many endpoints share. */
export const sharedParameters: Readonly<Record<string, Parameter>> = {
  DryRun: {
    name: "dry_run",
    in: "query",
    description:
      "`true` returns the answer that the request would get, with the header `Dry-Run: true`, and writes nothing. Work outside the database, such as starting a process, is assumed to succeed.",
    schema: { type: "boolean", default: false },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes a retry safe: for 24 hours the same key with the same request returns the first response. Requests are compared by meaning: spaces and the order of keys make no difference. With a different request it returns 409.",
    schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "The `ETag` of the version that you read. Returns 412 if there is a newer version.",
    schema: text,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` that you have, or several, or `*`. Returns 304 without a body if it is current.",
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

/** Whether a GET of this endpoint sends an `ETag`: resources with a version, and files. */
export const isTagged = ({ method, versioned, streams }: Endpoint): boolean =>
  method === "GET" && (versioned === true || streams === "application/octet-stream");

const shared = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` });

export function parametersOf(endpoint: Endpoint, refs: Refs): (Parameter | Reference)[] {
  const changes = endpoint.method !== "GET" && endpoint.method !== "POST";
  return [
    ...pathParameters(endpoint, refs),
    ...queryParameters(endpoint, refs),
    ...(acceptsDryRun(endpoint) ? [shared("DryRun")] : []),
    ...Object.entries(endpoint.headers ?? {}).map(
      ([name, description]): Parameter => ({ name, in: "header", description, schema: text }),
    ),
    ...(endpoint.creates ? [shared("IdempotencyKey")] : []),
    ...(endpoint.versioned && changes ? [shared("IfMatch")] : []),
    ...(isTagged(endpoint) ? [shared("IfNoneMatch")] : []),
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
        ? "Path of the file in the workspace folder, such as `pipelines/orders.sql`. Write slashes as they are."
        : ((description as string | undefined) ?? pathDescriptions[name] ?? ""),
      schema,
    };
  });
}

/** A path parameter means the same in every path. */
const pathDescriptions: Readonly<Record<string, string>> = {
  agent_id: "UUID, name or alias of the agent.",
  agent_name: "UUID, name or alias of the agent.",
  app_id: "UUID of the app.",
  attempt_id: "Your id of the attempt. Unique for the automation.",
  automation_alias: "Alias of the automation, such as `orders-daily`.",
  backup_id: "Id of the backup, such as `20260301T120000000Z-9f3a1c02`.",
  binding_id: "UUID of the chat binding.",
  connector_id: "UUID of the connector.",
  dataset_id: "UUID of a dataset of the connector.",
  delivery_id: "UUID of the message.",
  deployment_id: "UUID of the deployment.",
  drift_id: "UUID of the difference.",
  environment_id: "UUID or name of the environment.",
  flow_id: "UUID of the flow.",
  job_id: "Id of the job: kind and id of its owner, such as `connector-019f…`.",
  key: "Name of the secret: 1 to 128 letters, digits, `_`, `.` or `-`.",
  pipeline_id: "Id of the pipeline.",
  plan_id: "UUID of the plan.",
  release_id: "UUID of the release.",
  run_id: "UUID of the run.",
  scope: "Name of the secret scope: 1 to 128 letters, digits, `_`, `.` or `-`.",
  token_id: "UUID of the token.",
  update_id: "Id of the update, which is also the id of its run.",
  user_id: "UUID of the user.",
  username: "The user, as the workspace names it: `ada@example.com`.",
  version: "A version of the agent, such as `1.0.0`.",
};

function queryParameters({ query = {} }: Endpoint, refs: Refs): Parameter[] {
  return Object.entries(query).map(([name, field]) => {
    const { description, deprecated, ...schema } = field.jsonSchema(refs);
    return {
      name,
      in: "query",
      ...(field.presence === "required" && { required: true }),
      ...(deprecated === true && { deprecated }),
      description: (description as string | undefined) ?? "",
      schema,
    };
  });
}
