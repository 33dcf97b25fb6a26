import type { ConnectorUpdateRequest, Drift, PipelineUpdateRequest } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import { idOf } from "../../core/store/store.ts";
import type { DefinitionChange, Platform } from "../../runtime/platforms/platform.ts";
import type { KeepsFields } from "../../runtime/platforms/platform-request.ts";
import type { Connectors } from "../connectors/connectors.ts";
import type { Flows } from "../flows/flows.ts";
import type { Pipelines } from "../pipelines/pipelines.ts";
import type { Comparison, DriftSource, KnownDifference } from "./source.ts";

type Call = ChangeRequest & KeepsFields;

/** What drift needs of a kind of resource: to change its definition, and to let its platform install it again. */
export interface DriftingResource {
  adopt(id: string, change: DefinitionChange, call: Call): Promise<Settled>;
  reinstall(id: string, call: Call): Promise<Settled>;
}

interface Settled {
  readonly doc: { readonly status?: string; readonly error_message: string | null };
}

export type DriftingResources = Readonly<Partial<Record<Drift["kind"], DriftingResource>>>;

/** What somebody changed on the platforms themselves. */
export function platformSource(
  platforms: readonly Platform[],
  platformOf: (environmentId: string) => Promise<string | undefined>,
  resources: DriftingResources,
): DriftSource {
  const checks = platforms.flatMap(({ name, drift }) => (drift ? { name, ...drift } : []));

  function resourceOf({ kind }: Drift): DriftingResource {
    const resource = resources[kind];
    if (!resource) throw conflict(`Differences of a resource of the kind ${kind} cannot be changed here.`);
    return resource;
  }

  const callOf = ({ others }: KnownDifference, { context }: ChangeRequest): Call => ({
    context,
    kept: others,
  });

  return {
    name: "platform",
    environments: async () => [
      ...new Set((await Promise.all(checks.map((check) => check.environments()))).flat()),
    ],
    async compare(environmentIds, signal) {
      // On a platform that nobody else can change, nothing differs.
      const result = new Map<string, Comparison | Error>(
        environmentIds.map((id) => [id, { differences: [], undecided: new Set() }]),
      );
      const named = await Promise.all(
        environmentIds.map(async (id) => ({ id, platform: await platformOf(id) })),
      );
      for (const { name, compare } of checks) {
        const own = named.filter(({ platform }) => platform === name).map(({ id }) => id);
        for (const found of await compare(own, signal)) result.set(...found);
      }
      return result;
    },
    async adopt(known, call) {
      const { drift, adoption } = known;
      const change = adoption as DefinitionChange;
      settled(await resourceOf(drift).adopt(idOf(drift.resource), change, callOf(known, call)));
    },
    async revert(known, call) {
      const { drift } = known;
      settled(await resourceOf(drift).reinstall(idOf(drift.resource), callOf(known, call)));
    },
    onSettled: (listener) => {
      for (const check of checks) check.onSettled(listener);
    },
  };
}

function settled({ doc }: Settled): void {
  const isRefused = doc.status === undefined ? doc.error_message !== null : doc.status === "failed";
  if (isRefused) throw conflict(doc.error_message ?? "The platform refused it.");
}

export const driftingConnectors = (connectors: Connectors): DriftingResource => ({
  adopt(id, change, call) {
    if ("update" in change) return connectors.update(id, change.update as ConnectorUpdateRequest, call);
    return change.paused ? connectors.pause(id, pausedThere, call) : connectors.resume(id, call);
  },
  reinstall: connectors.reinstall,
});

export const driftingFlows = (flows: Flows): DriftingResource => ({
  async adopt(id, change, call) {
    if ("update" in change) {
      const { doc } = await flows.read(id);
      return flows.update(id, { ...doc.definition, ...change.update }, call);
    }
    return change.paused ? flows.pause(id, pausedThere, call) : flows.resume(id, call);
  },
  reinstall: flows.reinstall,
});

export const driftingPipelines = (pipelines: Pipelines): DriftingResource => ({
  async adopt(id, change, call) {
    if ("update" in change) return pipelines.update(id, change.update as PipelineUpdateRequest, call);
    throw conflict("A pipeline has no pause that could be adopted.");
  },
  reinstall: pipelines.reinstall,
});

const pausedThere = { reason: "It was paused on the platform." };
