import type { Agent, App, Automation, Connector, Flow, PipelineResponse } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { type AnySchema, modelOf } from "@lakehelm/contract/schema";
import { codeKey } from "../plan/code-changes.ts";
import { type Kind, kindOf } from "./kinds.ts";

/** A resource of a server, as the body of a request that would create it. */
export interface LiveResource {
  readonly kind: Kind["kind"];
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** All resources of an environment. Agents and automations are shared by all environments. */
export async function* liveResources(
  client: Client,
  environment: string,
  signal: AbortSignal,
): AsyncGenerator<LiveResource, void, undefined> {
  const options = { environment, signal };
  for await (const one of client.all.listConnectors(options))
    yield { kind: "connector", name: one.name, definition: connectorOf(one) };
  for await (const one of client.all.listPipelines(options))
    yield { kind: "pipeline", name: one.name, definition: pipelineOf(one) };
  for await (const one of client.all.listFlows(options))
    yield { kind: "flow", name: one.name, definition: flowOf(one) };
  for await (const one of client.all.listAutomations({ signal }))
    yield { kind: "automation", name: one.alias, definition: automationOf(one) };
  const names = new Map<string, string>();
  for await (const one of client.all.listAgents({ signal })) {
    names.set(one.id, one.name);
    yield { kind: "agent", name: one.name, definition: agentOf(one) };
  }
  for await (const one of client.all.listApps(options))
    yield { kind: "app", name: one.name, definition: appOf(one, names) };
}

function connectorOf({ datasets, policy, ...one }: Connector): Record<string, unknown> {
  return written("connector", {
    ...one,
    policy,
    datasets: (datasets ?? []).map(
      ({ source_dataset, target_name, primary_keys, write_strategy, custom_config }) => {
        const { watermark_column, ...custom } = custom_config ?? {};
        const usual = primary_keys?.length ? "upsert" : "append";
        return withoutEmpty({
          source_dataset,
          target_name,
          primary_keys,
          write_strategy: write_strategy === usual ? undefined : write_strategy,
          watermark_column,
          custom_config: custom,
        });
      },
    ),
  });
}

function pipelineOf({ configuration, ...one }: PipelineResponse): Record<string, unknown> {
  const { [codeKey]: _, ...own } = (configuration ?? {}) as Record<string, unknown>;
  return written("pipeline", { ...one, configuration: own });
}

const flowOf = ({ definition }: Flow) => {
  const { target_schema, ...rest } = definition;
  const { columns, ...schema } = target_schema;
  const plain = columns.map((column) => withoutEmpty({ ...column }));
  return written("flow", { ...rest, target_schema: { ...withoutEmpty({ ...schema }), columns: plain } });
};

const automationOf = ({ alias, description, definition }: Automation) =>
  written("automation", { alias, description, definition });

const agentOf = ({ name, aliases, description, source_path }: Agent) =>
  written("agent", { name, aliases, description, source_path });

const appOf = ({ name, description, agent_id, source_path }: App, names: ReadonlyMap<string, string>) =>
  written("app", { name, description, source_path, agent: agent_id && (names.get(agent_id) ?? agent_id) });

/** The fields of the request that creates a resource, without empty ones. */
function written(kind: Kind["kind"], live: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { body, without } = kindOf(kind);
  const fields = modelOf(body as AnySchema)?.fields ?? {};
  const kept = Object.keys(fields)
    .filter((name) => !without.includes(name) && name in live)
    .filter((name) => JSON.stringify(live[name]) !== JSON.stringify(fields[name]?.fallback))
    .map((name) => [name, live[name]]);
  const definition = withoutEmpty(Object.fromEntries(kept));
  // A connector requires `target_config`, even if it is empty.
  return kind === "connector" ? { target_config: {}, ...definition } : definition;
}

const withoutEmpty = (map: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(map).filter(([key, value]) => {
      if (value === null || value === undefined || value === "" || value === false) return false;
      if (Array.isArray(value)) return value.length > 0 || key === "libraries" || key === "source_tables";
      return typeof value !== "object" || Object.keys(value).length > 0;
    }),
  );
