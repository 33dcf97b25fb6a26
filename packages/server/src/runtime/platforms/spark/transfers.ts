import {
  type ClusterAccess,
  type ConnectionFinding,
  DataProblem,
  type Engine,
  type EngineRequests,
  type RequestKind,
  type RequestOptions,
} from "@lakehelm/engine";
import { readTableName } from "@lakehelm/sql/names";
import type { Cluster, Clusters } from "./clusters.ts";
import { forCaller } from "./for-caller.ts";
import { readTable } from "./warehouse/catalog.ts";

type Handlers = {
  readonly [Kind in RequestKind]?: (
    body: EngineRequests[Kind][0],
    options: RequestOptions,
  ) => Promise<EngineRequests[Kind][1]>;
};

/**
 * Handles the requests of connector runs. The engine of this server reads the sources and stages rows where the cluster
 * sees them, and keeps what is known of each dataset; the rows are in the cluster. Other requests are for `others`.
 */
export function withTransfers(
  clusters: Pick<Clusters, "open">,
  own: Pick<Engine, "request">,
  others: Pick<Engine, "request">,
): Pick<Engine, "request"> {
  const handlers: Handlers = {
    async transfer(body, options) {
      const cluster = await clusters.open(body.scope.environment);
      return own.request("transfer", { ...body, cluster: await accessOf(cluster) }, options);
    },
    async capture(body, options) {
      const cluster = await clusters.open(body.scope.environment);
      return own.request("capture", { ...body, cluster: await accessOf(cluster) }, options);
    },
    endCapture: (body, options) => own.request("endCapture", body, options),
    // What this server keeps of an environment has no tables: those are in the cluster, and stay there.
    catalog: (body, options) => own.request("catalog", body, options),
  };
  return {
    async request<Kind extends RequestKind>(
      kind: Kind,
      body: EngineRequests[Kind][0],
      options: RequestOptions = {},
    ): Promise<EngineRequests[Kind][1]> {
      const handler: Handlers[Kind] = handlers[kind];
      return handler ? handler(body, options) : others.request(kind, body, options);
    },
  };
}

/** What the engine needs to write to the cluster. */
export async function accessOf({
  configuration: { host, port, tls },
  token,
  ...cluster
}: Cluster): Promise<ClusterAccess> {
  const staging = await cluster.staging();
  if (staging === null) {
    throw new DataProblem(
      "configuration.staging of the environment is missing. Set it to a folder or bucket that the cluster and this server both see: rows are staged there.",
    );
  }
  return { host, port, tls, token, staging };
}

/** Whether the cluster has the tables that a connector delivers. */
export const checkTables =
  (clusters: Pick<Clusters, "open">) =>
  async (
    { scope, datasets }: EngineRequests["check"][0],
    signal: AbortSignal,
  ): Promise<ConnectionFinding[]> => {
    const cluster = await clusters.open(scope.environment);
    const names = datasets.map(({ source }) => readTableName(source, scope, ""));
    return forCaller(() =>
      Promise.all(
        names.map(async (name) => {
          if ("problem" in name) return { ok: false, sentence: name.problem };
          const full = `${name.catalog}.${name.schema}.${name.table}`;
          const table = await cluster.read((session) => readTable(session, name, signal));
          return table
            ? { ok: true, sentence: `The table ${full} is in the cluster.` }
            : { ok: false, sentence: `The cluster has no table ${full} yet.` };
        }),
      ),
    );
  };
