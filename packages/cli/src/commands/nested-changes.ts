import { endpoints } from "@lakehelm/contract";
import type { UntypedCall } from "@lakehelm/contract/client";
import { isObject } from "@lakehelm/contract/schema";
import type { Session } from "../connection/session.ts";
import { type Assignment, assign } from "../input/document.ts";
import type { OperationName } from "../table/spec.ts";
import type { OperationShape } from "./operation-shape.ts";

/** For `--set a.b=…` of an update, reads the current value of `a`, so that only `b` changes. */
export async function withCurrentValues(
  session: Session,
  { endpoint: { method, path, versioned } }: OperationShape,
  call: UntypedCall,
  /** The assignments of `--set`, except those below a field that the file or a flag sets. */
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
  // With If-Match, the update fails if the values that were read have changed since.
  return { ...call, body, ...(versioned && etag !== undefined && { ifMatch: call.ifMatch ?? etag }) };
}

const operationThatReads = (path: string): OperationName | undefined =>
  (Object.entries(endpoints) as [OperationName, (typeof endpoints)[OperationName]][]).find(
    ([, endpoint]) => endpoint.method === "GET" && endpoint.path === path,
  )?.[0];
