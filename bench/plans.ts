/**
 * Plans of unchanged resources through the API and with the command, plans that create resources, and the start time of
 * the command.
 *
 *     npm run bench:plans measures only these and writes plans.md; `npm run bench` has the same rows
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuSeconds, type Started, startServer, token } from "./processes.ts";

interface UnchangedTime {
  readonly resources: number;
  /** The time of `POST /api/v1/plans`, including its response. */
  readonly ms: number;
  readonly cpuMs: number;
  /** The time of `lakehelm plan` for a folder with a file for each resource. */
  readonly commandMs: number;
  /** The processor time of the command, without the server's. */
  readonly commandCpuMs: number;
  /** The maximum for each of these times. */
  readonly barMs: number;
}

interface ApplyTime {
  readonly changes: number;
  readonly ms: number;
}

/** The shortest time of many starts, and their processor time. */
interface StartTime {
  readonly ms: number;
  readonly cpuMs: number;
}

export interface PlanTimes {
  readonly unchanged: readonly UnchangedTime[];
  readonly applied: readonly ApplyTime[];
  readonly version: StartTime;
  /** `node -e 0`. */
  readonly node: StartTime;
}

const command = resolve(import.meta.dirname, "../packages/cli/bin/lakehelm.cjs");
const sizes = [
  { resources: 1000, barMs: 1000 },
  { resources: 10_000, barMs: 10_000 },
];
const appliedSizes = [250, 1000, 2000];
const atOnce = 1000;
const rounds = 3;
const starts = 30;

export async function measurePlans(folder: string, port: number): Promise<PlanTimes> {
  const node = measureStart(["-e", "0"]);
  const version = measureStart([command, "--version"]);
  const server = await startServer(folder, port);
  try {
    const unchanged = await measureUnchanged(server, folder);
    return { node, version, unchanged, applied: await measureApplied(server) };
  } finally {
    await server.stop();
  }
}

/** The median of three plans, and the shortest of three commands, because the first command fills the compile cache. */
async function measureUnchanged(server: Started, folder: string): Promise<UnchangedTime[]> {
  const names: string[] = [];
  const times: UnchangedTime[] = [];
  for (const { resources, barMs } of sizes) {
    while (names.length < resources) {
      const fresh = Array.from({ length: atOnce }, (_, n) => `orders-${names.length + n}`);
      await send(server, "/api/v1/batch", {
        mode: "all_or_nothing",
        operations: fresh.map((name) => ({
          method: "POST",
          path: "/api/v1/connectors/",
          body: { ...definition(name), created_by: "bench" },
        })),
      });
      names.push(...fresh);
    }
    const body = planOf(names);
    const measured: { readonly ms: number; readonly cpuMs: number }[] = [];
    for (let n = 0; n < rounds; n++) {
      const [began, before] = [performance.now(), cpuSeconds(server)];
      const { summary } = await send(server, "/api/v1/plans", body);
      measured.push({ ms: performance.now() - began, cpuMs: (cpuSeconds(server) - before) * 1000 });
      if (summary?.unchanged !== resources) throw new Error(`${summary?.unchanged} are unchanged`);
    }
    const median = measured.sort((a, b) => a.ms - b.ms)[1] as (typeof measured)[number];
    const project = await writeProject(join(folder, `../project-${resources}`), names);
    const commands: { readonly commandMs: number; readonly commandCpuMs: number }[] = [];
    for (let n = 0; n < rounds; n++) commands.push(await runPlan(server, project));
    const [fastest] = commands.sort((a, b) => a.commandMs - b.commandMs);
    times.push({ resources, barMs, ...median, ...(fastest as (typeof commands)[number]) });
    console.log(times.at(-1));
  }
  return times;
}

/** Makes a folder with a file for each connector. The mask stands for the secret that the server has stored. */
async function writeProject(folder: string, names: readonly string[]): Promise<string> {
  await mkdir(join(folder, "connectors"), { recursive: true });
  await writeFile(join(folder, "lakehelm.yaml"), "name: bench\nenvironments:\n  local:\n    default: true\n");
  for (const name of names) {
    const text = `target_type: warehouse
target_config:
  connection:
    type: postgresql
    config:
      host: db.example.test
      database: shop
      user: loader
      password: "********"
execution_mode: manual
datasets:
  - source_dataset: public.orders
    target_name: ${name}
    primary_keys: [id]
`;
    await writeFile(join(folder, "connectors", `${name}.yaml`), text);
  }
  return folder;
}

/** This does not use `spawnSync`, which would block reading the server's output. */
async function runPlan({ port }: Started, folder: string) {
  const [began, before] = [performance.now(), childSeconds()];
  const child = spawn(process.execPath, [command, "plan", "--detailed-exitcode"], {
    cwd: folder,
    stdio: "ignore",
    env: { ...process.env, LAKEHELM_URL: `http://127.0.0.1:${port}`, LAKEHELM_TOKEN: token },
  });
  const code = await new Promise((done) => child.once("exit", done));
  // Exit code 4: there are changes.
  if (code !== 0) throw new Error(`lakehelm plan exited with ${code}`);
  return { commandMs: performance.now() - began, commandCpuMs: (childSeconds() - before) * 1000 };
}

/** Plans that only create resources, measured from the request to apply until the last step is done. */
async function measureApplied(server: Started): Promise<ApplyTime[]> {
  const times: ApplyTime[] = [];
  for (const changes of appliedSizes) {
    const names = Array.from({ length: changes }, (_, n) => `applied-${changes}-${n}`);
    const { id } = await send(server, "/api/v1/plans", planOf(names, `bench-${changes}`));
    const began = performance.now();
    await send(server, `/api/v1/plans/${id}/apply`);
    for (;;) {
      const { status } = await read(server, `/api/v1/plans/${id}`);
      if (status === "applied") break;
      if (status !== "applying") throw new Error(`The plan is ${status}`);
      await sleep(200);
    }
    times.push({ changes, ms: performance.now() - began });
    console.log(times.at(-1));
  }
  return times;
}

function measureStart(args: readonly string[]): StartTime {
  const before = childSeconds();
  const walls: number[] = [];
  for (let n = 0; n < starts; n++) {
    const began = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
    if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}`);
    walls.push(performance.now() - began);
  }
  return { ms: Math.min(...walls), cpuMs: ((childSeconds() - before) / starts) * 1000 };
}

/** The processor time of this process's ended children. */
function childSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

const planOf = (names: readonly string[], project = "bench") => ({
  environment: "local",
  project: { name: project },
  resources: names.map((name) => ({ kind: "connector", name, definition: definition(name) })),
});

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

interface Answer {
  readonly id?: string;
  readonly status?: string;
  readonly summary?: { readonly unchanged: number };
}

const send = (server: Started, path: string, body?: unknown) => request(server, path, "POST", body);
const read = (server: Started, path: string) => request(server, path, "GET");

async function request({ port }: Started, path: string, method: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const found = (await answer.json()) as Answer;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(found).slice(0, 300)}`);
  return found;
}

const count = (n: number) => Math.round(n).toLocaleString("en");
const verdict = (ok: boolean) => (ok ? "reached" : "**missed**");
const startBarMs = 60;

export function plansReport({ unchanged, applied, version, node }: PlanTimes): string {
  const line = ({ resources, ms, cpuMs, commandMs, commandCpuMs, barMs }: UnchangedTime) =>
    `| ${[resources, ms, cpuMs, commandMs, commandCpuMs, barMs].map(count).join(" | ")} | ${verdict(ms < barMs && commandMs < barMs)} |`;
  const each = applied.map(({ ms, changes }) => ms / changes);
  const isLinear = (each.at(-1) ?? 0) < 2 * (each[0] ?? 0);
  return `## Plans

Connectors with a secret that do not change: \`POST /api/v1/plans\` with its answer, and \`lakehelm plan\` of a folder with a
file for each, which reads, checks and sends all of them. Times in milliseconds.

| resources | API | its CPU | command | its CPU | bar | |
|---|---|---|---|---|---|---|
${unchanged.map(line).join("\n")}

A plan that only creates, from the request to apply until its last step is done (bar: twice the time for each change, at most,
with ${applied.at(-1)?.changes} as with ${applied[0]?.changes}: ${verdict(isLinear)}):

| changes | ms | ms each |
|---|---|---|
${applied.map(({ changes, ms }) => `| ${count(changes)} | ${count(ms)} | ${(ms / changes).toFixed(2)} |`).join("\n")}

\`lakehelm --version\` took ${version.ms.toFixed(0)} ms, the shortest of ${starts}, ${(version.ms / node.ms).toFixed(2)} times \`node -e 0\`; its processor time
${version.cpuMs.toFixed(0)} ms, ${(version.cpuMs / node.cpuMs).toFixed(2)} times (bar ${startBarMs} ms: ${verdict(version.ms < startBarMs)}).
`;
}

/** On a busy machine, only processor times are meaningful. */
function circumstances(loads: readonly number[]): string {
  const [first = 0, last = 0] = loads;
  const busy =
    Math.max(first, last) > availableParallelism() ? " The machine was busy: compare processor times." : "";
  return `Load average ${first.toFixed(1)} before and ${last.toFixed(1)} after, on ${availableParallelism()} processors.${busy}`;
}

// `run.js` imports the file that it starts, so this is never the main module.
if (resolve(process.argv[2] ?? "") === import.meta.filename) {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-bench-"));
  try {
    const before = loadavg()[0] ?? 0;
    const times = await measurePlans(join(folder, "plans"), 18_950);
    const loads = [before, loadavg()[0] ?? 0];
    const page = `# Plans\n\nWritten by \`npm run bench:plans\`. ${circumstances(loads)}\n\n${plansReport(times)}`;
    await writeFile(join(import.meta.dirname, "plans.md"), page);
    console.log(page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
