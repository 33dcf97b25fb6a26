import { kindsFor, namesOf } from "@lakehelm/contract/connections";
import type { ResourceRequests } from "./platform-request.ts";

export type PlatformResource = keyof ResourceRequests;

/** The kinds of resources that platforms can run. */
export const platformResources: readonly PlatformResource[] = [
  "connector",
  "flow",
  "pipeline",
  "automation",
  "agent",
  "app",
];

/**
 * The resources that each platform runs. A request for another resource is refused with a sentence, before anything is
 * sent.
 */
export const resourcesOf = {
  embedded: platformResources,
  databricks: platformResources,
  spark: platformResources,
} as const satisfies Readonly<Record<string, readonly PlatformResource[]>>;

/** The connector targets of a platform; `warehouse` stands for imports. */
export const targetsOf = (by: "byEngine" | "byGeneratedCode"): readonly string[] => [
  ...kindsFor("target", by).flatMap(namesOf),
  "warehouse",
];

const plurals: Readonly<Record<PlatformResource, string>> = {
  connector: "connectors",
  flow: "flows",
  pipeline: "pipelines",
  automation: "automations",
  agent: "agents",
  app: "apps",
};

/** Why a platform does not run a kind of resource. */
export function resourceRefusal(
  platform: string,
  kind: PlatformResource,
  runs: readonly PlatformResource[],
): string {
  const rest =
    runs.length === 0 ? "It answers queries only." : `It runs ${runs.map((one) => plurals[one]).join(", ")}.`;
  return `The platform ${platform} does not run ${plurals[kind]}. ${rest}`;
}
