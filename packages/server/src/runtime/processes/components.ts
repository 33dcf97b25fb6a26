import { appProcess, endpointProcess } from "../../core/processes.ts";
import { isSubject, subjectId } from "../../core/store/store.ts";
import type { PlatformOutcome, TransactionalResult } from "../platforms/platform.ts";
import type { PlatformComponentRequest } from "../platforms/platform-request.ts";
import type { Processes } from "./processes.ts";

/** Apps and the endpoints of agents are processes; chats are not. */
export function runsAsProcess({ subject, data }: PlatformComponentRequest): boolean {
  return isSubject("app", subject) || data.component === "agent_endpoint";
}

/** On this platform the UI of an agent consists of its linked apps, which have their own requests. */
export function uiAppRefusal({ kind, data }: PlatformComponentRequest): TransactionalResult | undefined {
  if (kind !== "component.start" || data.component !== "ui_app") return undefined;
  const reason = `No app is linked to the agent "${data.name}" in this environment: register one, with its source_path.`;
  return { steps: [], outcome: { done: false, reason } };
}

/** Starts or stops the process of an agent's endpoint or an app. */
export async function performComponent(
  processes: Pick<Processes, "deploy" | "stop">,
  { id: deploy, environmentId, kind, subject, data }: PlatformComponentRequest,
): Promise<PlatformOutcome> {
  const id = isSubject("app", subject)
    ? appProcess(subjectId("app", subject))
    : endpointProcess(subjectId("agent", subject), environmentId);
  const request = { id, environmentId, requestedAt: data.asked_at };
  if (kind === "component.stop") return processes.stop(request);
  const { name, source_path: sourcePath } = data;
  if (sourcePath === null) {
    // Stops the process of an earlier version.
    await processes.stop(request);
    return { done: false, reason: "It has no source_path: there is nothing to run." };
  }
  return processes.deploy({ ...request, deploy, name, sourcePath });
}
