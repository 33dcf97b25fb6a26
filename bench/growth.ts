/** Lists and creates with a growing number of connectors. */
import { join } from "node:path";
import { load, request } from "./load.ts";
import { startServer, token } from "./processes.ts";
import { seedConnectors } from "./seed.ts";
import { writesTo } from "./writes.ts";

/** Requests per second. */
export interface Growth {
  readonly size: number;
  readonly list: number;
  /** The same list with `skip=10000`. */
  readonly deep: number;
  readonly create: number;
}

const sizes = [10, 10_000, 1_000_000];

export async function measureGrowth(folder: string, port: number, seconds: number): Promise<Growth[]> {
  const growth: Growth[] = [];
  const read = async (path: string) => {
    const bytes = request("GET", path, token);
    const once = () => load({ port, next: () => bytes, connections: 32, seconds, status: 200 });
    await once();
    return (await once()).perSecond;
  };
  const first = await startServer(folder, port);
  const writes = writesTo({ port, connectors: 0, deployments: 0 });
  await (await writes.prepare("create", 10))();
  await first.stop();
  for (const size of sizes) {
    seedConnectors(join(folder, "lakehelm.db"), size);
    const server = await startServer(folder, port);
    const list = await read("/api/v1/connectors/");
    const deep = await read("/api/v1/connectors/?skip=10000");
    await writes.measure("create", 1);
    growth.push({ size, list, deep, create: (await writes.measure("create", seconds)).perSecond });
    console.log(growth.at(-1));
    await server.stop();
  }
  return growth;
}
