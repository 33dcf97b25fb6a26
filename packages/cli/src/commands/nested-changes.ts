import { endpoints } from "@lakehelm/contract";
import type { UntypedCall } from "@lakehelm/contract/client";
import { isObject } from "@lakehelm/contract/schema";
import type { Session } from "../connection/session.ts";
import { type Assignment, assign } from "../input/document.ts";
import type { OperationName } from "../table/spec.ts";
import type { OperationShape } from "./operation-shape.ts";

/** `--set a.b=…` of an update changes `b` and nothing else: the rest of `a` is what the server has. */
export async function withCurrentValues(
  session: Session,
  { endpoint: { method, path, versioned } }: OperationShape,
  call: UntypedCall,
  /** `--set`, but not below what the file or a flag sends. */
  assignments: readonly Assignment[],
): Promise<UntypedCall> {
  const nested = new Set(
    assignments.filter(({ path }) => path.length > 1).map(({ path: [key = ""] }) => key),
  );
  const reading = operationThatReads(path);
  if (nested.size === 0 || (method !== "PUT" && method !== "PATCH") || reading === undefined) return call;
  const { body: current, etag } = await session.call(reading, { params: call.params ?? {} });
  if (!isObject(current) || !isObject(call.body)) return call;
  const body = { ...call.body };
  for (const key of nested) if (isObject(current[key])) body[key] = structuredClone(current[key]);
  for (const { path, value } of assignments) assign(body, path, value);
  // What was read must still be there.
  return { ...call, body, ...(versioned && etag !== undefined && { ifMatch: call.ifMatch ?? etag }) };
}

const operationThatReads = (path: string): OperationName | undefined =>
  (Object.entries(endpoints) as [OperationName, (typeof endpoints)[OperationName]][]).find(
    ([, endpoint]) => endpoint.method === "GET" && endpoint.path === path,
  )?.[0];
