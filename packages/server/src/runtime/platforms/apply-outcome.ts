import type { PlatformOutcome } from "./platform.ts";
import type { PlatformRequestKind } from "./platform-request.ts";

/** The fields of a resource that show the state of its job. */
interface InstalledResource {
  readonly status: "created" | "active" | "paused" | "failed";
  readonly workflow_id: string | null;
  readonly error_message: string | null;
}

/** Applies the platform's outcome to the resource. A refusal leaves it failed, never lost. */
export function applyOutcome<Doc extends InstalledResource>(
  doc: Doc,
  kind: PlatformRequestKind,
  outcome: PlatformOutcome,
): Doc {
  if (!outcome.done) return { ...doc, status: "failed", error_message: outcome.reason };
  if (kind !== "job.install") return doc;
  return {
    ...doc,
    status: doc.status === "paused" ? "paused" : "active",
    workflow_id: outcome.reference ?? doc.workflow_id,
    error_message: null,
  };
}
