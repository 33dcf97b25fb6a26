/** Access to the processes of agents and apps on this machine, for code that forwards requests to them. */
export interface ProcessProvider {
  /**
   * Reserves a healthy process for one request: it is not stopped before `release` or the end of the grace period.
   * Undefined if it is not running, not healthy, or being stopped.
   */
  acquire(processId: string): AcquiredProcess | undefined;
}

export interface AcquiredProcess {
  /** The port of the process on 127.0.0.1. */
  readonly port: number;
  release(): void;
}

/** An agent has one endpoint per environment. */
export const endpointProcess = (agentId: string, environmentId: string): string =>
  `agent/${agentId}/${environmentId}`;

export const appProcess = (appId: string): string => `app/${appId}`;

/** The owner of a process. */
export function parseProcessId(
  id: string,
): { readonly appId: string } | { readonly agentId: string; readonly environmentId: string } {
  const [kind, ownerId = "", environmentId = ""] = id.split("/");
  return kind === "app" ? { appId: ownerId } : { agentId: ownerId, environmentId };
}
