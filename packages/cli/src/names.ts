import { shown } from "@lakehelm/contract/text";
import type { Session } from "./connection/session.ts";
import { Failure } from "./failure.ts";
import { isPlainName } from "./plain-name.ts";
import type { OperationName } from "./table/spec.ts";

interface NamedResource {
  readonly word: string;
  readonly list: OperationName;
  readonly key: string;
  readonly id: string;
}

/** Path parameters for which the server accepts only ids, with the list that finds the id of a name. */
const namedResources: Readonly<Record<string, NamedResource>> = {
  connector_id: { word: "connector", list: "listConnectors", key: "connectors", id: "id" },
  pipeline_id: { word: "pipeline", list: "listPipelines", key: "pipelines", id: "pipeline_id" },
  flow_id: { word: "flow", list: "listFlows", key: "flows", id: "id" },
  app_id: { word: "app", list: "listApps", key: "apps", id: "id" },
  user_id: { word: "user", list: "listUsers", key: "users", id: "id" },
  job_id: { word: "job", list: "listJobs", key: "jobs", id: "id" },
};

/** Path parameters for which the server accepts names, with the list for completion. */
const otherNames: Readonly<Record<string, Omit<NamedResource, "id" | "word"> & { readonly name: string }>> = {
  environment_id: { list: "listEnvironments", key: "environments", name: "name" },
  agent_id: { list: "listAgents", key: "agents", name: "name" },
  automation_alias: { list: "listAutomations", key: "automations", name: "alias" },
};

/** The names that a path parameter can have, without those that a shell would expand. */
export async function namesOf({ call }: Session, parameter: string): Promise<string[]> {
  const resource = otherNames[parameter] ?? namedResources[parameter];
  if (!resource) return [];
  const name = "name" in resource ? resource.name : parameter === "user_id" ? "username" : "name";
  const { body } = await call(resource.list, { query: { limit: 1000 } });
  const items = (body as Record<string, Record<string, unknown>[]>)[resource.key] ?? [];
  return items.map((item) => String(item[name])).filter(isPlainName);
}

const uuid = /^(?:(?:connector|flow|pipeline|automation)-)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export const acceptsName = (parameter: string): boolean => Object.hasOwn(namedResources, parameter);

/** Descriptions of arguments that are neither a name nor an id. */
export const otherForms: Readonly<Record<string, string>> = {
  drift_id:
    "What differs: connector/orders-in, with its field if several differ (connector/orders-in/schedule_cron), or its id.",
};

/** The id of the resource that an argument names. An id is returned unchanged. */
export async function resolveId(
  { call, connection }: Session,
  parameter: string,
  given: string,
): Promise<string> {
  if (parameter === "drift_id" && !uuid.test(given)) return driftId({ call }, given);
  const resource = namedResources[parameter];
  if (!resource || uuid.test(given)) return given;
  const { word, list, key, id } = resource;
  const { body } = await call(list, { query: { name: given, limit: 2 } });
  const [first, second] = (body as Record<string, Record<string, string>[]>)[key] ?? [];
  const where =
    connection.environment === undefined ? "" : ` in the environment ${shown(connection.environment)}`;
  if (!first) {
    throw new Failure(`There is no ${word} named ${shown(given)}${where}. To see all: lakehelm ${key} list`);
  }
  if (second) {
    throw new Failure(
      `Several ${key} are named ${shown(given)}${where}. Choose the environment with --env, or use the id.`,
    );
  }
  return first[id] ?? given;
}

/** The id of a difference, from its resource (`kind/name`) or its field (`kind/name/field`). */
async function driftId({ call }: Pick<Session, "call">, given: string): Promise<string> {
  const [kind = "", ...rest] = given.split("/");
  const { body } = await call("listDrift", { query: { limit: 1000 } });
  const { drift } = body as { drift: { id: string; kind: string; name: string; field: string | null }[] };
  const named = drift.filter(
    (one) => one.kind === kind && [one.name, `${one.name}/${one.field ?? ""}`].includes(rest.join("/")),
  );
  const [first, second] = named;
  if (!first) {
    throw new Failure(
      `Nothing is known to differ in ${shown(given)}. To compare now: lakehelm drift check. To see all: lakehelm drift list`,
    );
  }
  if (second) {
    const all = named.map((one) => `${one.kind}/${one.name}/${one.field ?? ""}`);
    throw new Failure(`Several fields of ${shown(given)} differ. Name one: ${all.slice(0, 10).join(", ")}.`);
  }
  return first.id;
}
