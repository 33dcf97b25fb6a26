/** Durable writes next to their floors and the peer, with a given number of connectors, jobs and deployments present. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { compare, type Row } from "./comparison.ts";
import { type Floors, openFloors, type Write } from "./floor-writes.ts";
import { startPeer } from "./peer.ts";
import { cpuSeconds, startServer } from "./processes.ts";
import { seedConnectors, seedDeployments } from "./seed.ts";
import { type WriteRequests, writesTo } from "./writes.ts";

export interface DurableOptions {
  readonly folder: string;
  readonly port: number;
  /** The number of connectors, and of deployments. */
  readonly size: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly hasPeer: boolean;
  readonly enough: (row: Row) => boolean;
}

const titles: Record<Write, string> = {
  create: "POST connector",
  PATCH: "PATCH connector",
  pause: "pause connector",
  finish: "finish deployment",
};

export const groupSize = 32;

export async function measureDurable(options: DurableOptions): Promise<Row[]> {
  const { folder, port, size, rounds, seconds, hasPeer, enough } = options;
  const data = join(folder, `data-${size}`);
  const database = join(data, "lakehelm.db");
  const first = await startServer(data, port);
  const few = writesTo({ port, connectors: 10, deployments: 1 });
  for (const write of ["create", "finish"] as const) await (await few.prepare(write, 10))();
  await first.stop();
  seedConnectors(database, size);
  seedDeployments(database, size);
  const floorDatabase = join(folder, `floor-${size}.db`);
  const floors = openFloors(database, floorDatabase);
  const server = await startServer(data, port);
  const ours = writesTo({
    port,
    cpuSeconds: () => cpuSeconds(server),
    connectors: 1000,
    deployments: Math.round(seconds * 4000),
  });
  const peerServer = hasPeer ? await startPeer(folder, port + 1, size) : undefined;
  const peer =
    peerServer && writesTo({ port: port + 1, connectors: 200, deployments: Math.round(seconds * 300) });

  const rows: Row[] = [];
  try {
    for (const write of ["create", "PATCH", "pause", "finish"] as const) {
      await requireSameRows(write, { path: database, requests: ours }, { path: floorDatabase, floors });
      const name = `${titles[write]}, ${size.toLocaleString("en")} present`;
      const subject = {
        name,
        bar: 0.6,
        peerBar: 6,
        ours: () => ours.measure(write, seconds),
        floor: async () => floors.measure(write, 1, seconds / 2),
        grouped: async () => floors.measure(write, groupSize, seconds / 2),
        peer: peer && (() => peer.measure(write, seconds)),
      };
      rows.push(await compare(subject, rounds, enough));
    }
  } finally {
    floors.close();
    await peerServer?.stop();
    await server.stop();
  }
  return rows;
}

/** Throws an error unless our server and the floor write the same number of rows to every table. */
async function requireSameRows(
  write: Write,
  ours: { readonly path: string; readonly requests: WriteRequests },
  floor: { readonly path: string; readonly floors: Floors },
): Promise<void> {
  const times = 20;
  const [send, writeRows] = [await ours.requests.prepare(write, times), floor.floors.prepare(write)];
  const left = await growth(ours.path, send);
  const expected = await growth(floor.path, async () => writeRows(times));
  if (isDeepStrictEqual(left, expected)) return;
  throw new Error(`${write}: ours left ${JSON.stringify(left)}, the floor ${JSON.stringify(expected)}.`);
}

/** The rows that each table gained. */
async function growth(path: string, act: () => Promise<void>): Promise<Record<string, number>> {
  const before = await countRows(path);
  await act();
  const after = await countRows(path);
  const grown = Object.entries(after).map(([table, n]) => [table, n - (before[table] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, n]) => n !== 0));
}

/** The rows of each table once every event is sealed; for tallies, the sum of their counts. */
async function countRows(path: string): Promise<Record<string, number>> {
  const database = new DatabaseSync(path, { readOnly: true });
  const count = (table: string) => {
    const counted = table === "tallies" ? "sum(n)" : "count(*)";
    return Number(database.prepare(`select ${counted} as n from "${table}"`).get()?.n);
  };
  try {
    for (let idle = 0; idle < 5; idle = count("pending_events") === 0 ? idle + 1 : 0) await sleep(50);
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    return Object.fromEntries(tables.map(({ name }) => [name, count(String(name))]));
  } finally {
    database.close();
  }
}
