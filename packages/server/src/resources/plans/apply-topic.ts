import { topic } from "../../core/outbox/topic.ts";

/** Who applies which plan. */
export interface ApplyPayload {
  readonly plan_id: string;
  readonly actor: string;
  /** Null: the actor is not a user but, for example, the service. Absent in entries of earlier versions of Lakehelm. */
  readonly user_id?: string | null;
  readonly role: string | null;
  readonly server_role: string | null;
  readonly request_id: string | null;
}

export const applyTopic = topic<ApplyPayload>("plan.apply");

/** Plans of an environment are applied one after the other. */
export const applyKey = (environmentId: string) => `plans/${environmentId}`;
