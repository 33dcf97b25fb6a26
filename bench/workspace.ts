/** Requests to a Databricks workspace, counted by a stand-in that answers at once. */
import { setTimeout as sleep } from "node:timers/promises";
import { tickets } from "../packages/server/src/runtime/platforms/databricks/testing/connected-server.ts";
import {
  startFakeWorkspace,
  testToken,
} from "../packages/server/src/runtime/platforms/databricks/testing/fake-workspace.ts";
import { jobRoutes } from "../packages/server/src/runtime/platforms/databricks/testing/jobs.ts";
import { objectRoutes } from "../packages/server/src/runtime/platforms/databricks/testing/objects.ts";
import { startServer, token } from "./processes.ts";

export interface WorkspaceRequests {
  readonly connectors: number;
  /** The number of requests to create one connector. */
  readonly created: number;
  /** The number of requests in the first 75 seconds after a start, which include a comparison with the workspace. */
  readonly atStart: number;
  /** The number of these requests that write. */
  readonly writesAtStart: number;
  /** The number of requests in a minute without activity. */
  readonly atRest: number;
  /** The number of requests per second with 100 active runs. */
  readonly following: number;
}

const connectors = 1000;
const atOnce = 16;
const activeRuns = 100;

export async function measureWorkspace(folder: string, port: number): Promise<WorkspaceRequests> {
  const jobs = jobRoutes();
  const workspace = await startFakeWorkspace(undefined, jobs.routes, objectRoutes().routes);
  const settings = { PLATFORM_ENV: "development" };
  /** The requests in the next seconds. */
  async function during(seconds: number) {
    const from = workspace.requests.length;
    await sleep(seconds * 1000);
    return workspace.requests.slice(from);
  }
  const first = await startServer(folder, port, settings);
  const configuration = { host: workspace.url, token: testToken, catalog: "shop" };
  const body = { name: "lake", platform: "databricks", configuration };
  await send(port, "POST", "/api/v1/environments/", body);
  await send(port, "PUT", "/api/v1/secrets/shop/api", { value: "Bearer bench" });
  const before = workspace.requests.length;
  let created = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (created < connectors) {
        created += 1;
        await send(port, "POST", "/api/v1/connectors/", { ...tickets, name: `tickets-${created}` });
      }
    }),
  );
  if (jobs.jobs.size !== connectors) throw new Error(`There are ${jobs.jobs.size} jobs.`);
  const forOne = (workspace.requests.length - before) / connectors;
  await first.stop();

  const starting = during(75);
  const again = await startServer(folder, port, settings);
  const atStart = await starting;
  const atRest = (await during(60)).length;
  const job = [...jobs.jobs.values()].slice(0, activeRuns);
  for (const one of job) jobs.begin(one, "PERIODIC");
  // Waits until the server has found the runs and read each of them once.
  const isRead = () => workspace.lines().filter((line) => line.endsWith("/runs/get")).length >= activeRuns;
  while (!isRead()) await sleep(500);
  const following = (await during(30)).length / 30;
  await again.stop();
  await workspace.close();
  return {
    connectors,
    created: forOne,
    atStart: atStart.length,
    writesAtStart: atStart.filter(({ line }) => !line.startsWith("GET")).length,
    atRest,
    following,
  };
}

async function send(port: number, method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-environment-id": "lake",
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok)
    throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  await answer.text();
}
