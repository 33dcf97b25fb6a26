/** Plans of resources that do not change. */
import { startServer, token } from "./processes.ts";

export interface PlanTime {
  readonly resources: number;
  readonly ms: number;
  /** The most that it may take. */
  readonly barMs: number;
}

const sizes = [
  { resources: 1000, barMs: 1000 },
  { resources: 10_000, barMs: 10_000 },
];
const atOnce = 1000;
const rounds = 3;

/** The median of three plans, each with its answer. */
export async function measurePlans(folder: string, port: number): Promise<PlanTime[]> {
  const server = await startServer(folder, port);
  const names: string[] = [];
  const times: PlanTime[] = [];
  for (const { resources, barMs } of sizes) {
    while (names.length < resources) {
      const fresh = Array.from({ length: atOnce }, (_, n) => `orders-${names.length + n}`);
      await send(port, "/api/v1/batch", {
        mode: "all_or_nothing",
        operations: fresh.map((name) => ({
          method: "POST",
          path: "/api/v1/connectors/",
          body: { ...definition(name), created_by: "bench" },
        })),
      });
      names.push(...fresh);
    }
    const body = {
      environment: "local",
      project: { name: "bench" },
      resources: names.map((name) => ({ kind: "connector", name, definition: definition(name) })),
    };
    const measured: number[] = [];
    for (let n = 0; n < rounds; n++) {
      const began = performance.now();
      const { summary } = await send(port, "/api/v1/plans", body);
      measured.push(performance.now() - began);
      if (summary?.unchanged !== resources) throw new Error(`${summary?.unchanged} are unchanged`);
    }
    times.push({ resources, barMs, ms: measured.sort((a, b) => a - b)[1] as number });
    console.log(times.at(-1));
  }
  await server.stop();
  return times;
}

const definition = (name: string) => ({
  name,
  target_type: "warehouse",
  target_config: {
    connection: {
      type: "postgresql",
      config: { host: "db.example.test", database: "shop", user: "loader", password: `of ${name}` },
    },
  },
  execution_mode: "manual",
  datasets: [{ source_dataset: "public.orders", target_name: name, primary_keys: ["id"] }],
});

async function send(port: number, path: string, body: unknown) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const read = (await answer.json()) as { readonly summary?: { readonly unchanged: number } };
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(read).slice(0, 300)}`);
  return read;
}
