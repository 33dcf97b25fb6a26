/** The four durable writes that are measured, as requests to one server: ours or the peer. */
import type { Write } from "./floor-writes.ts";
import { load, type Measured, request } from "./load.ts";
import { token } from "./processes.ts";

export interface WriteRequests {
  /** For so long over 32 connections; a finish, for as many deployments as there are. */
  measure(write: Write, seconds: number): Promise<Measured>;
  /** What sends it so many times, one after the other. */
  prepare(write: Write, times: number): Promise<() => Promise<void>>;
}

export interface WriteOptions {
  readonly port: number;
  /** How many connectors are changed in turn: far more than requests are under way, so that none meets another. */
  readonly connectors: number;
  /** How many deployments are finished in one round. */
  readonly deployments: number;
}

const connections = 32;

export async function openWrites({ port, connectors, deployments }: WriteOptions): Promise<WriteRequests> {
  const run = Date.now().toString(36);
  let made = 0;
  let changed = 0;

  const post = (path: string, body: object) => request("POST", path, token, JSON.stringify(body));
  const create = () => post("/api/v1/connectors/", connectorOf(`bench-${run}-${made++}`));
  const announce = () => post("/api/v1/deployments/", { deployment_name: "bench" });
  const connectorIds = await idsOf(create, connectors);
  const nextId = () => connectorIds[changed++ % connectorIds.length];
  const change: Record<"PATCH" | "pause", () => Buffer> = {
    // Another minute each time: a change that changes nothing is not written.
    PATCH: () => {
      const body = JSON.stringify({
        schedule_cron: `${Math.floor(changed / connectorIds.length) % 60} 5 * * *`,
      });
      return request("PATCH", `/api/v1/connectors/${nextId()}`, token, body);
    },
    pause: () => post(`/api/v1/connectors/${nextId()}/pause`, { reason: `because ${changed}` }),
  };

  /** The ids in the answers to so many requests. */
  async function idsOf(next: () => Buffer, count: number): Promise<string[]> {
    const ids: string[] = [];
    let sent = 0;
    await load({
      port,
      connections,
      status: 200,
      next: () => (sent++ < count ? next() : undefined),
      onAnswer: (body) => ids.push((JSON.parse(body) as { id: string }).id),
    });
    return ids;
  }

  async function finishes(count: number): Promise<() => Buffer | undefined> {
    const pending = await idsOf(announce, count);
    return () => {
      const id = pending.pop();
      return id === undefined ? undefined : post(`/api/v1/deployments/${id}/finish`, { status: "succeeded" });
    };
  }

  return {
    async measure(write, seconds) {
      if (write === "finish") {
        return load({ port, connections, status: 200, next: await finishes(deployments) });
      }
      return load({
        port,
        connections,
        seconds,
        status: 200,
        next: write === "create" ? create : change[write],
      });
    },
    async prepare(write, times) {
      const bytes = write === "finish" ? await finishes(times) : write === "create" ? create : change[write];
      let sent = 0;
      const next = () => (sent++ < times ? bytes() : undefined);
      return async () => void (await load({ port, connections: 1, status: 200, next }));
    },
  };
}

const connectorOf = (name: string) => ({
  name,
  target_type: "postgresql",
  target_config: { host: "db.internal", port: 5432, database: "crm", user: "loader", password: "s3cret" },
  schedule_cron: "0 6 * * *",
  created_by: "bench",
});
