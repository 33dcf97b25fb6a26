/** The four measured kinds of durable writes, as requests to one server: ours or the peer. */
import type { Write } from "./floor-writes.ts";
import { load, type Measured, request } from "./load.ts";
import { token } from "./processes.ts";

export interface WriteRequests {
  /** Sends requests for this many seconds over 32 connections; "finish" sends one for each of `deployments`. */
  measure(write: Write, seconds: number): Promise<Measured>;
  /** Returns a function that sends this number of requests, one after the other. */
  prepare(write: Write, times: number): Promise<() => Promise<void>>;
}

export interface WriteOptions {
  readonly port: number;
  /** The processor time of the server so far, in seconds. */
  readonly cpuSeconds?: () => number;
  /**
   * The number of connectors that are changed in turn: far more than 32, so that no two requests change the same one.
   */
  readonly connectors: number;
  /** The number of deployments that are finished in one round. */
  readonly deployments: number;
}

const connections = 32;

export function writesTo({ port, cpuSeconds, connectors, deployments }: WriteOptions): WriteRequests {
  const run = Date.now().toString(36);
  let made = 0;
  let changed = 0;
  let targets: string[] | undefined;

  const post = (path: string, body: object) => request("POST", path, token, JSON.stringify(body));
  const create = () => post("/api/v1/connectors/", connectorOf(`bench-${run}-${made++}`));
  const announce = () => post("/api/v1/deployments/", { deployment_name: "bench" });

  /** Sends `count` requests and returns the ids in their responses. */
  async function idsOf(next: () => Buffer, count: number): Promise<string[]> {
    const ids: string[] = [];
    let sent = 0;
    await load({
      port,
      connections,
      status: 200,
      next: () => (sent++ < count ? next() : undefined),
      onResponse: (body) => ids.push((JSON.parse(body) as { id: string }).id),
    });
    return ids;
  }

  async function change(write: "PATCH" | "pause"): Promise<() => Buffer> {
    targets ??= await idsOf(create, connectors);
    const ids = targets;
    return () => {
      const path = `/api/v1/connectors/${ids[changed % ids.length]}`;
      // The minute differs each time, because a change without an effect is not written.
      const minute = Math.floor(changed++ / ids.length) % 60;
      if (write === "pause") return post(`${path}/pause`, { reason: `because ${changed}` });
      return request("PATCH", path, token, JSON.stringify({ schedule_cron: `${minute} 5 * * *` }));
    };
  }

  async function finish(count: number): Promise<() => Buffer | undefined> {
    const pending = await idsOf(announce, count);
    return () => {
      const id = pending.pop();
      return id === undefined ? undefined : post(`/api/v1/deployments/${id}/finish`, { status: "succeeded" });
    };
  }

  const requests = async (write: Write, count: number): Promise<() => Buffer | undefined> =>
    write === "create" ? create : write === "finish" ? finish(count) : change(write);

  return {
    async measure(write, seconds) {
      const next = await requests(write, deployments);
      const duration = write === "finish" ? undefined : { seconds };
      return load({ port, connections, status: 200, next, ...duration, ...(cpuSeconds && { cpuSeconds }) });
    },
    async prepare(write, times) {
      const bytes = await requests(write, times);
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
