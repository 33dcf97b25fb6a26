import type { DeploymentResponse, Release } from "@lakehelm/contract";
import type { ChangeContext } from "../../core/store/store.ts";
import type { JobRequest } from "./job-requests.ts";

export interface SyncResult {
  readonly message: string;
  readonly release: Release | null;
  readonly deployment: DeploymentResponse | null;
}

/** What activating or removing a release has written, and the follow-up work. */
export interface ReleaseChange extends SyncResult {
  readonly job?: JobRequest;
  /** The start of the message for a refusal by the platform. The reason follows it. */
  readonly refusal?: string;
  /** The start of the message while the platform cannot be reached. The reason follows it. */
  readonly waiting?: string;
  reconcile?(context: ChangeContext): Promise<void>;
}
