import { setTimeout } from "node:timers/promises";
import type { Dependencies } from "../../../../core/dependencies.ts";
import { conflict, unavailable } from "../../../../core/errors.ts";
import { isSubject } from "../../../../core/store/store.ts";
import type { Platform } from "../../platform.ts";
import type { PlatformComponentRequest } from "../../platform-request.ts";
import { WorkspaceError } from "../client/workspace-error.ts";
import { installationId } from "../installation.ts";
import { type ComponentFollowerOptions, createComponentFollower } from "./component-follower.ts";
import { createInvocation, questionFor } from "./invocation.ts";
import { appOf, type ComponentRequestsOptions, createComponentRequests, endpointOf } from "./requests.ts";
import { appLines } from "./workspace-apps.ts";
import { endpointLines } from "./workspace-endpoints.ts";

type ComponentsOptions = Omit<ComponentRequestsOptions & ComponentFollowerOptions, "installation" | "clock">;

export interface WorkspaceComponents {
  perform(request: PlatformComponentRequest): ReturnType<Platform["perform"]>;
  /** Whether the workspace is still busy with what was asked last of an app or an endpoint. */
  isPending(environmentId: string, subject: string): Promise<boolean>;
  /** Removes what an unanswered create made after the resource was deleted. */
  removeLate(request: PlatformComponentRequest): Promise<void>;
  readonly remoteComponents: NonNullable<Platform["remoteComponents"]>;
}

/** Apps, and the endpoints of agents, of environments in workspaces. */
export function createWorkspaceComponents(
  { vault, system }: Pick<Dependencies, "vault" | "system">,
  options: ComponentsOptions,
): WorkspaceComponents {
  const { workspaces } = options;
  const installation = installationId(vault);
  const clock = {
    now: () => system.now().getTime(),
    sleep: async (ms: number) => void (await setTimeout(ms, undefined, { ref: false })),
  };
  const { perform, isPending, removeLate } = createComponentRequests({ ...options, installation, clock });
  const follower = createComponentFollower({ ...options, installation });
  return {
    perform,
    isPending,
    removeLate,
    remoteComponents: {
      invoke: createInvocation(workspaces, installation),
      question: questionFor,
      async log(environmentId, subject, name) {
        const { client } = await workspaces.open(environmentId);
        const mark = { installation, environment: environmentId, resource: subject };
        const lines = isSubject("app", subject)
          ? appLines(client, appOf(name, mark))
          : endpointLines(client, endpointOf(name, mark));
        return lines.catch((error) => {
          if (!(error instanceof WorkspaceError)) throw error;
          throw error.kind === "open" || error.kind === "busy"
            ? unavailable(error.message, error)
            : conflict(error.message);
        });
      },
      start: follower.start,
      stop: follower.stop,
    },
  };
}
