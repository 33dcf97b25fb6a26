/**
 * Measures the server beside floors, in one run: each round takes the floor and ours right after each other,
 * and what counts is the median of the rounds' ratios, since the machine's speed changes from minute to minute.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureCodegen } from "./codegen.ts";
import { rawInserts } from "./floor-sqlite.ts";
import { load, type Measured, request } from "./load.ts";
import { cpuSeconds, residentMb, startFloor, startServer, token } from "./processes.ts";
import { codegenReport, type Row, report } from "./report.ts";
import { seedConnectors } from "./seed.ts";

const quick = process.argv.includes("--quick");
const only = process.argv.find((word) => word.startsWith("--only="))?.slice(7);
const rounds = quick ? 3 : 5;
const seconds = quick ? 1.5 : 3;
const connections = 32;
const sizes = quick ? [10, 10_000] : [10, 10_000, 1_000_000];

const folder = await mkdtemp(join(tmpdir(), "lakehelm-bench-"));
const data = join(folder, "data");
const port = 18_900;
const rows: Row[] = [];
const floor = await startFloor();
const first = await startServer(join(folder, "first"), port);
await new Promise((done) => setTimeout(done, 1000));
const firstMemoryMb = residentMb(first);
await first.stop();
let server = await startServer(data, port);

const body = (name: string) =>
  JSON.stringify({
    name,
    target_type: "postgresql",
    target_config: { host: "db.internal", port: 5432, database: "crm", user: "loader", password: "s3cret" },
    schedule_cron: "0 6 * * *",
    created_by: "bench",
  });
let made = 0;
const run = Date.now().toString(36);
const create = () => request("POST", "/api/v1/connectors/", token, body(`bench-${run}-${made++}`));

async function call(method: string, path: string, sent?: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(sent && { "content-type": "application/json" }) },
    ...(sent && { body: sent }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.text();
}

async function ours(bytes: () => Buffer, status = 200): Promise<Measured> {
  return load({ port, next: bytes, connections, seconds, status });
}

async function floored(path: string, answer: string): Promise<Measured> {
  await fetch(`http://127.0.0.1:${floor.port}${path}`, { method: "PUT", body: answer });
  const bytes = request("GET", path);
  return load({ port: floor.port, next: () => bytes, connections, seconds, status: 200 });
}

/** Rounds of floor and ours; the median ratio with its round's numbers. */
async function compare(
  name: string,
  bar: number | undefined,
  below: () => Promise<Measured>,
  above: () => Promise<Measured>,
) {
  if (only && !name.includes(only)) return;
  await above();
  const measured: { floor: Measured; ours: Measured; ratio: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const floor = await below();
    const mine = await above();
    measured.push({ floor, ours: mine, ratio: mine.perSecond / floor.perSecond });
  }
  measured.sort((a, b) => a.ratio - b.ratio);
  const median = measured[Math.floor(rounds / 2)] as (typeof measured)[number];
  rows.push({ name, bar, ...median });
  console.log(
    `${name.padEnd(34)} ${median.ours.perSecond.toFixed(0).padStart(8)}/s  ${(median.ratio * 100).toFixed(0).padStart(4)} % of the floor` +
      (bar === undefined ? "" : ` (bar ${bar * 100} %)`) +
      `  [${measured.map(({ ratio }) => (ratio * 100).toFixed(0)).join(" ")}]`,
  );
}

const fixed = (method: string, path: string, sent?: string) => {
  const bytes = request(method, path, token, sent);
  return () => bytes;
};

const idle = { ...(await idleCost()), firstMemoryMb, firstStartMs: first.startMs };
const health = await call("GET", "/health");
await compare(
  "health",
  0.6,
  () => floored("/health", health),
  () => ours(fixed("GET", "/health")),
);

for (let n = 0; n < 120; n++) await call("POST", "/api/v1/connectors/", body(`first-${n}`));
const { connectors } = JSON.parse(await call("GET", "/api/v1/connectors/?limit=1")) as {
  connectors: { id: string }[];
};
const onePath = `/api/v1/connectors/${connectors[0]?.id}`;
const one = await call("GET", onePath);
const list = await call("GET", "/api/v1/connectors/");
await compare(
  "GET one",
  0.6,
  () => floored("/one", one),
  () => ours(fixed("GET", onePath)),
);
await compare(
  "list of 100",
  0.4,
  () => floored("/list", list),
  () => ours(fixed("GET", "/api/v1/connectors/")),
);
const wrong = JSON.stringify({ name: "", target_type: 5, execution_mode: "sometimes" });
await compare(
  "validation failure",
  undefined,
  () => floored("/one", one),
  () => ours(fixed("POST", "/api/v1/connectors/", wrong), 422),
);
await compare(
  "durable create",
  0.5,
  async () => ({ perSecond: rawInserts(folder, one, seconds), p50: 0, p99: 0 }),
  () => ours(create),
);

const growth: { size: number; list: number; deep: number; create: number }[] = [];
if (!only || only === "growth") {
  for (const size of sizes) {
    await server.stop();
    seedConnectors(join(data, "lakehelm.db"), size);
    server = await startServer(data, port);
    const page = fixed("GET", "/api/v1/connectors/");
    const deepPage = fixed("GET", "/api/v1/connectors/?skip=10000");
    await ours(page);
    growth.push({
      size,
      list: (await ours(page)).perSecond,
      deep: (await ours(deepPage)).perSecond,
      create: (await ours(create)).perSecond,
    });
    console.log(growth.at(-1));
  }
}

const codegen = !only || only === "codegen" ? await codegenOn(join(folder, "codegen")) : undefined;

await server.stop();
const starts: number[] = [];
for (let n = 0; n < 3; n++) {
  const fresh = await startServer(join(folder, `start-${n}`), port);
  starts.push(fresh.startMs);
  await fresh.stop();
}
await floor.stop();
const startMs = starts.sort((a, b) => a - b)[1] as number;
console.log({ startMs, ...idle, growth });
if (codegen) console.log(codegenReport(codegen));
if (!quick && !only)
  await writeFile(join(import.meta.dirname, "results.md"), report({ rows, growth, codegen, startMs, idle }));
await rm(folder, { recursive: true, force: true });

/** On a server of its own, whose first request is cold. */
async function codegenOn(home: string) {
  const fresh = await startServer(home, port + 1);
  try {
    return await measureCodegen(port + 1, seconds);
  } finally {
    await fresh.stop();
  }
}

/** Memory and processor use of a server that has just been started and is left alone. */
async function idleCost(): Promise<{ memoryMb: number; cpuPercent: number }> {
  await new Promise((done) => setTimeout(done, 1000));
  const before = cpuSeconds(server);
  const wait = quick ? 3000 : 15_000;
  await new Promise((done) => setTimeout(done, wait));
  return {
    memoryMb: residentMb(server),
    cpuPercent: ((cpuSeconds(server) - before) / (wait / 1000)) * 100,
  };
}
