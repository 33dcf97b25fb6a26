/**
 * 10,000 scheduled jobs, 100 of them due at once: the time from a slot until its run is committed as queued, and the processor
 * time while nothing is due, on SQLite and on PostgreSQL. Writes bench/jobs.md.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@lakehelm/testing";
import { pino } from "pino";
import { pendingSigner } from "../packages/server/src/core/events/chain.ts";
import { openVault } from "../packages/server/src/core/secrets/vault.ts";
import { openDatabase } from "../packages/server/src/core/store/open.ts";
import { createStore, type Store } from "../packages/server/src/core/store/store.ts";
import { createSystem } from "../packages/server/src/core/system.ts";
import { definitionOf } from "../packages/server/src/runtime/jobs/job-steps.ts";
import { createJobs } from "../packages/server/src/runtime/jobs/jobs.ts";
import { readSettings } from "../packages/server/src/settings.ts";
import { addEnvironment } from "../packages/server/src/testing/store.ts";

const count = 10_000;
const dueAtOnce = 100;
const slots = 6;
const slotMs = 10_000;
const idleSeconds = 10;

interface Results {
  readonly engine: string;
  /** Sorted. */
  readonly lateMs: readonly number[];
  /** The share of one core that is used while no run is due. */
  readonly idle: number;
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
const system = createSystem();
const by = () => ({ actor: "bench", requestId: null, time: system.now().toISOString() });

async function measure(folder: string, url: string | undefined): Promise<Results> {
  const { engine } = await openDatabase(url, folder);
  const plain = createStore(engine, system, pendingSigner(system.randomBytes(32)));
  const settings = readSettings({});
  const lateMs: number[] = [];
  /** Wraps the store to record when a queued run is committed. */
  const store: Store = {
    ...plain,
    async apply(change) {
      await plain.apply(change);
      const late = Date.now() % slotMs;
      for (const { kind } of change.events) if (kind === "run.queued") lateMs.push(late);
    },
  };
  const vault = openVault("a secret key for a benchmark", randomBytes);
  const jobs = createJobs(
    { settings, store, vault, system },
    {
      executor: { execute: async () => ({ metrics: {} }) },
      tableVersions: async () => [],
      log: pino({ level: "error" }),
    },
  );
  const environmentId = await addEnvironment(plain, "bench");

  async function install(from: number, to: number, cron: (n: number) => string): Promise<void> {
    const steps = Array.from({ length: to - from }, (_, n) => {
      const trigger = { kind: "cron", cron: cron(n), timezone: "Europe/Berlin" } as const;
      const id = `flow-${from + n}`;
      const job = { id, environmentId, kind: "flow", subject: id.replace("-", "/"), name: id } as const;
      return jobs.steps.install({ ...job, definition: definitionOf(trigger, settings) }, by());
    }).flat();
    const event = { kind: "bench.installed", subject: "bench", data: {} };
    for (let n = 0; n < steps.length; n += 1000) {
      await plain.apply({ context: by(), steps: steps.slice(n, n + 1000), events: [event] });
    }
  }

  try {
    // A daily schedule that is due in half a day.
    const hour = (system.now().getUTCHours() + 12) % 24;
    await install(0, count - dueAtOnce, (n) => `${n % 60} ${hour} * * *`);
    jobs.start();
    await sleep(2000);
    const before = process.cpuUsage();
    await sleep(idleSeconds * 1000);
    const spent = process.cpuUsage(before);

    await install(count - dueAtOnce, count, () => `*/${slotMs / 1000} * * * * *`);
    while (lateMs.length < slots * dueAtOnce) await sleep(100);
    return {
      engine: engine.name,
      lateMs: lateMs.toSorted((a, b) => a - b),
      idle: (spent.user + spent.system) / (idleSeconds * 1e6),
    };
  } finally {
    await jobs.stop();
    await plain.close();
  }
}

const verdict = (ok: boolean) => (ok ? "reached" : "**missed**");

function line({ engine, lateMs, idle }: Results): string {
  const at = (share: number) => lateMs[Math.ceil(lateMs.length * share) - 1] ?? 0;
  const reached = at(0.99) < 1000 && idle < 0.02;
  const percent = `${(idle * 100).toFixed(2)} %`;
  return `| ${engine} | ${at(0.5)} ms | ${at(0.99)} ms | ${at(1)} ms | ${percent} | ${verdict(reached)} |`;
}

const folder = await mkdtemp(join(tmpdir(), "lakehelm-bench-"));
const postgres = await startPostgres(join(folder, "postgres"));
try {
  const results = [await measure(folder, undefined), await measure(folder, postgres.url)];
  const report = `# Jobs

Written by \`npm run bench:jobs\` on a virtual machine with ${availableParallelism()} cores and ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${process.arch}, Node ${process.version}: ${count.toLocaleString("en")} scheduled
jobs, of which ${dueAtOnce} are due at once, ${slots} times. The times run from a slot until its run is committed as queued; the bar for
p99 is 1,000 ms. "Idle" is the share of one core that the jobs use while nothing is due, without the rest of the server; the
bar is 2 %.

| store | p50 | p99 | max | idle | |
|---|---|---|---|---|---|
${results.map(line).join("\n")}
`;
  await writeFile(new URL("jobs.md", import.meta.url), report);
  console.log(report);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
