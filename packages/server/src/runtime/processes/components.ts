import { appProcess, endpointProcess } from "../../core/processes.ts";
import type { PlatformOutcome, PlatformRequest, TransactionalResult } from "../platforms/platform.ts";
import type { Processes } from "./processes.ts";

/** Apps and the endpoints of agents are processes; chats are not. */
export function runsAsProcess({ kind, subject, data }: PlatformRequest): boolean {
  if (kind !== "component.start" && kind !== "component.stop") return false;
  return subject.startsWith("app/") || data.component === "agent_endpoint";
}

/** On this platform the UI of an agent consists of its linked apps, which have their own requests. */
export function uiAppRefusal({ kind, data }: PlatformRequest): TransactionalResult | undefined {
  if (kind !== "component.start" || data.component !== "ui_app") return undefined;
  const reason = `No app is linked to the agent "${data.name}" in this environment: register one, with its source_path.`;
  return { steps: [], outcome: { done: false, reason } };
}

/** Starts or stops the process of an agent's endpoint or an app. */
export async function performComponent(
  processes: Pick<Processes, "deploy" | "stop">,
  { id: deploy, environmentId, kind, subject, data }: PlatformRequest,
): Promise<PlatformOutcome> {
  const ownId = subject.slice(subject.indexOf("/") + 1);
  const id = subject.startsWith("app/") ? appProcess(ownId) : endpointProcess(ownId, environmentId);
  const request = { id, environmentId, askedAt: String(data.asked_at) };
  if (kind === "component.stop") return processes.stop(request);
  const { name, source_path: sourcePath } = data;
  if (typeof sourcePath !== "string") {
    // Stops the process of an earlier version.
    await processes.stop(request);
    return { done: false, reason: "It has no source_path: there is nothing to run." };
  }
  return processes.deploy({ ...request, deploy, name: String(name), sourcePath });
}
