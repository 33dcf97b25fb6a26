import type { ConnectorUpdateRequest, Drift, PipelineUpdateRequest } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import { idOf } from "../../core/store/store.ts";
import type { DefinitionChange, Platform } from "../../runtime/platforms/platform.ts";
import type { KeepsFields } from "../../runtime/platforms/platform-request.ts";
import type { Agents } from "../agents/agents.ts";
import type { Apps } from "../apps/apps.ts";
import type { Automations } from "../automations/automations.ts";
import type { Connectors } from "../connectors/connectors.ts";
import type { Environments } from "../environments/environments.ts";
import type { Flows } from "../flows/flows.ts";
import type { Pipelines } from "../pipelines/pipelines.ts";
import type { Comparison, DriftSource, KnownDifference } from "./source.ts";

type Call = ChangeRequest & KeepsFields;

/** What drift needs from a kind of resource: to change its definition, and to reinstall it on its platform. */
export interface DriftingResource {
  adopt(one: DriftingOne, change: DefinitionChange, call: Call): Promise<void>;
  reinstall(one: DriftingOne, call: Call): Promise<void>;
}

interface DriftingOne {
  readonly id: string;
  readonly environmentId: string;
}

interface Settled {
  readonly doc: { readonly status?: string; readonly error_message: string | null };
}

export type DriftingResources = Readonly<Partial<Record<Drift["kind"], DriftingResource>>>;

/** Finds changes that were made on the platforms themselves. */
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

  const oneOf = ({ resource, environment_id }: Drift): DriftingOne => ({
    id: idOf(resource),
    environmentId: environment_id,
  });

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
      // A platform without a drift check can be changed only by Lakehelm: it has no differences.
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
      await resourceOf(drift).adopt(oneOf(drift), change, callOf(known, call));
    },
    async revert(known, call) {
      const { drift } = known;
      await resourceOf(drift).reinstall(oneOf(drift), callOf(known, call));
    },
  };
}

function settled({ doc }: Settled): void {
  const isRefused = doc.status === undefined ? doc.error_message !== null : doc.status === "failed";
  if (isRefused) throw conflict(doc.error_message ?? "The platform refused it.");
}

export const driftingConnectors = (connectors: Connectors): DriftingResource => ({
  async adopt({ id }, change, call) {
    if ("update" in change)
      settled(await connectors.update(id, change.update as ConnectorUpdateRequest, call));
    else
      settled(await (change.paused ? connectors.pause(id, pausedThere, call) : connectors.resume(id, call)));
  },
  reinstall: async ({ id }, call) => settled(await connectors.reinstall(id, call)),
});

export const driftingFlows = (flows: Flows): DriftingResource => ({
  async adopt({ id }, change, call) {
    if ("update" in change) {
      const { doc } = await flows.read(id);
      settled(await flows.update(id, { ...doc.definition, ...change.update }, call));
    } else settled(await (change.paused ? flows.pause(id, pausedThere, call) : flows.resume(id, call)));
  },
  reinstall: async ({ id }, call) => settled(await flows.reinstall(id, call)),
});

export const driftingPipelines = (pipelines: Pipelines): DriftingResource => ({
  async adopt({ id }, change, call) {
    if (!("update" in change)) throw conflict("A pipeline has no pause that could be adopted.");
    settled(await pipelines.update(id, change.update as PipelineUpdateRequest, call));
  },
  reinstall: async ({ id }, call) => settled(await pipelines.reinstall(id, call)),
});

/** An automation runs a released version: only its pause can be changed without another release. */
export const driftingAutomations = (
  automations: Pick<Automations, "get" | "setSchedule" | "reinstall">,
): DriftingResource => ({
  async adopt({ id, environmentId }, change, { context }) {
    if ("update" in change) throw conflict("Change the definition of the automation, and release it.");
    const { alias } = (await automations.get(id))?.doc ?? {};
    if (alias === undefined) throw conflict(`There is no automation ${id} any more.`);
    const [action, body] = change.paused ? (["pause", pausedThere] as const) : (["resume", {}] as const);
    await automations.setSchedule(alias, action, body, environmentId, context);
  },
  reinstall: ({ id, environmentId }, call) => automations.reinstall(id, environmentId, call),
});

export const driftingApps = (
  apps: Pick<Apps, "read" | "stop" | "redeploy">,
  environments: Pick<Environments, "actIn">,
): DriftingResource => ({
  async adopt({ id, environmentId }, change, { context }) {
    if ("update" in change || !change.paused) throw conflict("Only the stop of an app can be adopted.");
    const { doc } = await apps.read(id);
    await apps.stop(doc.name, await environments.actIn(environmentId), context);
  },
  reinstall: ({ id }, { context }) => apps.redeploy(id, context),
});

export const driftingAgents = (
  agents: Pick<Agents, "retry">,
  environments: Pick<Environments, "actIn">,
): DriftingResource => ({
  async adopt() {
    throw conflict("Register a version of the agent that says it, and activate that version.");
  },
  async reinstall({ id, environmentId }, { context }) {
    await agents.retry(id, "agent_endpoint", await environments.actIn(environmentId), context);
  },
});

const pausedThere = { reason: "It was paused on the platform." };
