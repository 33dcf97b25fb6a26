/**
 * 10,000 scheduled jobs, of which 100 are due at once: how long after its slot a run is in the queue, committed, and
 * what the schedule costs while nothing is due. On SQLite; with a `postgres://` address as its argument, on that
 * (the database must be empty).
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { uuidV7 } from "../packages/server/src/ids.ts";
import { definitionOf } from "../packages/server/src/jobs/definition.ts";
import { createJobs } from "../packages/server/src/jobs/jobs.ts";
import { openVault } from "../packages/server/src/secrets/vault.ts";
import { readSettings } from "../packages/server/src/settings.ts";
import { openDatabase } from "../packages/server/src/store/open.ts";
import { createStore, type Store } from "../packages/server/src/store/store.ts";
import { addEnvironment } from "../packages/server/src/testing/store.ts";

const count = 10_000;
const dueAtOnce = 100;
const slots = 6;
const idleSeconds = 10;

const folder = await mkdtemp(join(tmpdir(), "lakehelm-bench-"));
const { engine } = await openDatabase(process.argv[3], folder);
const nature = { now: () => new Date(), newId: uuidV7(Date.now, randomBytes), randomBytes };
const settings = readSettings({});
const plain = createStore(engine, nature.newId);
const lateMs: number[] = [];
/** Notes when a queued run is committed. */
const store: Store = {
  ...plain,
  async apply(change) {
    await plain.apply(change);
    const now = Date.now();
    const slot = now - (now % 10_000);
    for (const { kind } of change.events) if (kind === "run.queued") lateMs.push(now - slot);
  },
};
const vault = openVault("a secret key for a benchmark", randomBytes);
const jobs = createJobs(
  { settings, store, vault, nature },
  {
    executor: { execute: async () => ({ metrics: {} }) },
    tableVersions: async () => [],
    log: pino({ level: "error" }),
  },
);
const by = () => ({ actor: "bench", requestId: null, time: nature.now().toISOString() });
const environmentId = await addEnvironment(plain, "bench");

const install = (n: number, cron: string) => {
  const definition = definitionOf({ kind: "cron", cron, timezone: "Europe/Berlin" }, settings);
  const job = {
    id: `flow-${n}`,
    environmentId,
    kind: "flow",
    subject: `flow/${n}`,
    name: `${n}`,
    definition,
  } as const;
  return jobs.steps.install(job, by());
};
const installAll = async (from: number, to: number, cron: (n: number) => string) => {
  const steps = Array.from({ length: to - from }, (_, n) => install(from + n, cron(n))).flat();
  for (let n = 0; n < steps.length; n += 1000) {
    await plain.apply({ by: by(), steps: steps.slice(n, n + 1000), events: [] });
  }
};
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

try {
  // Every day, in minutes that are not now.
  const hour = (nature.now().getUTCHours() + 12) % 24;
  await installAll(0, count - dueAtOnce, (n) => `${n % 60} ${hour} * * *`);
  jobs.start();
  await sleep(2000);
  const before = process.cpuUsage();
  await sleep(idleSeconds * 1000);
  const { user, system } = process.cpuUsage(before);
  const idle = (user + system) / (idleSeconds * 1e6);

  await installAll(count - dueAtOnce, count, () => "*/10 * * * * *");
  await plain.apply({ by: by(), steps: [], events: [{ kind: "bench.begun", subject: "bench", data: {} }] });
  while (lateMs.length < slots * dueAtOnce) await sleep(100);

  const sorted = lateMs.toSorted((a, b) => a - b);
  const at = (share: number) => `${sorted[Math.ceil(sorted.length * share) - 1]} ms`;
  console.log(`${engine.name}: ${count} jobs, ${dueAtOnce} due at once, ${slots} slots`);
  console.log(`slot → queued: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}; the bar is 1000 ms`);
  console.log(`idle: ${(idle * 100).toFixed(2)} % of a processor; the bar is 2 %`);
} finally {
  await jobs.stop();
  await plain.close();
  await rm(folder, { recursive: true, force: true });
}
