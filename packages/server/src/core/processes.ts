/** The processes of agents and apps on this machine, for those who pass requests on to them. */
export interface ProcessProvider {
  /**
   * A process that answers, for one request: it is not stopped before `release`, but for a grace period that is over.
   * Undefined where it does not run, is not healthy, or is being stopped.
   */
  acquire(processId: string): AcquiredProcess | undefined;
}

export interface AcquiredProcess {
  /** It listens on 127.0.0.1 at this port. */
  readonly port: number;
  release(): void;
}

/** An agent has one endpoint in an environment. */
export const endpointProcess = (agentId: string, environmentId: string): string =>
  `agent/${agentId}/${environmentId}`;

export const appProcess = (appId: string): string => `app/${appId}`;

/** Whose process an id names. */
export function parseProcessId(
  id: string,
): { readonly appId: string } | { readonly agentId: string; readonly environmentId: string } {
  const [kind, ownerId = "", environmentId = ""] = id.split("/");
  return kind === "app" ? { appId: ownerId } : { agentId: ownerId, environmentId };
}
