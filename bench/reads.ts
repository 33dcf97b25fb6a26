/** Requests that write nothing, compared with `node:http` sending the same prepared bytes. */
import { compare, type Row } from "./comparison.ts";
import { load, type Measured, request } from "./load.ts";
import { cpuSeconds, type Started, startServer, token } from "./processes.ts";
import { writesTo } from "./writes.ts";

export interface ReadOptions {
  readonly folder: string;
  readonly port: number;
  readonly floor: Started;
  readonly rounds: number;
  readonly seconds: number;
  readonly enough: (row: Row) => boolean;
}

const connections = 32;

export async function measureReads({
  folder,
  port,
  floor,
  rounds,
  seconds,
  enough,
}: ReadOptions): Promise<Row[]> {
  const server = await startServer(folder, port);
  await (await writesTo({ port, connectors: 0, deployments: 0 }).prepare("create", 120))();
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
    return response.text();
  };
  const send = (to: Started, bytes: Buffer, status = 200): Promise<Measured> =>
    load({
      port: to.port,
      next: () => bytes,
      connections,
      seconds,
      status,
      cpuSeconds: () => cpuSeconds(to),
    });
  async function floored(path: string, answer: string): Promise<Measured> {
    await fetch(`http://127.0.0.1:${floor.port}${path}`, { method: "PUT", body: answer });
    return send(floor, request("GET", path));
  }
  const list = await read("/api/v1/connectors/");
  const { connectors } = JSON.parse(list) as { connectors: { id: string }[] };
  const onePath = `/api/v1/connectors/${connectors[0]?.id}`;
  const one = await read(onePath);
  const health = await read("/health");
  const wrong = JSON.stringify({ name: "", target_type: 5, execution_mode: "sometimes" });

  const subjects = [
    { name: "health", bar: 0.6, floor: () => floored("/health", health), ours: () => get("/health") },
    { name: "GET one", bar: 0.6, floor: () => floored("/one", one), ours: () => get(onePath) },
    {
      name: "list of 100",
      bar: 0.4,
      floor: () => floored("/list", list),
      ours: () => get("/api/v1/connectors/"),
    },
    {
      name: "validation failure",
      floor: () => floored("/one", one),
      ours: () => send(server, request("POST", "/api/v1/connectors/", token, wrong), 422),
    },
  ];
  const get = (path: string) => send(server, request("GET", path, token));
  const rows: Row[] = [];
  try {
    for (const subject of subjects) {
      rows.push(await compare(subject, rounds, enough));
    }
  } finally {
    await server.stop();
  }
  return rows;
}
