import { isMap, programs } from "@lakehelm/contract/connections";
import { conflict } from "../../../../core/errors.ts";
import { isReference, referencesIn } from "../../../../core/secrets/references.ts";
import type { WorkspaceConfiguration } from "../configuration.ts";
import type { SecretSource } from "../jobs/own-secrets.ts";

/** The settings of a version: with its secret values, and as they are shown, with masks instead. */
export interface VersionMetadata {
  readonly open: Readonly<Record<string, unknown>>;
  readonly masked: Readonly<Record<string, unknown>>;
}

interface EndpointConfig {
  readonly served_entities: readonly object[];
}

const workloadSizes = ["Small", "Medium", "Large"];
const mostVariables = 100;

/**
 * What a serving endpoint serves for a version of an agent: a model of Unity Catalog that `metadata` names. Throws 409 with
 * everything that is wrong. Secrets become references into our scope.
 */
export function endpointConfig(
  agent: { readonly id: string; readonly name: string; readonly version: string | null },
  metadata: VersionMetadata,
  { catalog, schema }: Pick<WorkspaceConfiguration, "catalog" | "schema">,
  scope: string,
): { readonly config: EndpointConfig; readonly secrets: ReadonlyMap<string, SecretSource> } {
  const { model, model_version, workload_size = "Small", scale_to_zero = true } = metadata.open;
  const problems: string[] = [];
  const wrong = (key: string, expected: string) =>
    problems.push(
      `metadata.${key} of version ${agent.version ?? "none"} of "${agent.name}" must be ${expected}.`,
    );
  const parts = typeof model === "string" ? model.split(".") : [];
  if (parts.length < 1 || parts.length > 3 || !parts.every((part) => /^[^\s/`]{1,255}$/.test(part)))
    wrong("model", "the name of a model in Unity Catalog, such as shop.agents.order_desk");
  const version = String(model_version ?? "");
  if (!/^\d{1,18}$/.test(version))
    wrong("model_version", 'the number of a version of that model, such as "3"');
  if (!workloadSizes.includes(String(workload_size))) wrong("workload_size", workloadSizes.join(", "));
  if (typeof scale_to_zero !== "boolean") wrong("scale_to_zero", "true or false");
  const { variables, secrets } = variablesOf(agent.id, metadata, scope, wrong);
  if (problems.length > 0) throw conflict(problems.join(" "));
  const entity = {
    name: "agent",
    entity_name: [...[catalog, schema].slice(0, 3 - parts.length), ...parts].join("."),
    entity_version: version,
    workload_size,
    scale_to_zero_enabled: scale_to_zero,
    ...(Object.keys(variables).length > 0 && { environment_vars: variables }),
  };
  return { config: { served_entities: [entity] }, secrets };
}

/** The prefix of the keys of an endpoint's secrets, so that they can be deleted with the endpoint. */
export const agentSecretPrefix = (agentId: string): string => `agent.${agentId}.`;

function variablesOf(
  agentId: string,
  { open, masked }: VersionMetadata,
  scope: string,
  wrong: (key: string, expected: string) => void,
) {
  const variables: Record<string, string> = {};
  const secrets = new Map<string, SecretSource>();
  const given = open.environment_vars ?? {};
  const shown = isMap(masked.environment_vars) ? masked.environment_vars : {};
  const entries = isMap(given) ? Object.entries(given) : undefined;
  const isVariable = ([name, value]: readonly [string, unknown]) =>
    /^[A-Za-z_]\w{0,79}$/.test(name) && typeof value === "string" && value.length <= 10_000;
  if (!entries?.every(isVariable) || entries.length > mostVariables) {
    wrong("environment_vars", `a map of at most ${mostVariables} names of variables to texts`);
    return { variables, secrets };
  }
  for (const [name, value] of entries as [string, string][]) {
    const isSecret = isReference(value) || shown[name] !== value;
    if (!isSecret) {
      variables[name] = value;
      continue;
    }
    const key = `${agentSecretPrefix(agentId)}${name}`;
    const [reference] = isReference(value) ? referencesIn(value) : [];
    secrets.set(key, reference ? { reference, to: [[programs]] } : { value });
    variables[name] = `{{secrets/${scope}/${key}}}`;
  }
  return { variables, secrets };
}
