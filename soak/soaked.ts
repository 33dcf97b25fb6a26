import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Faults, injectFaults } from "./faults.ts";
import { type Lakehelm, lakehelmOn } from "./lakehelm.ts";
import { automationName, install, type Load, pipelineName } from "./load.ts";
import { randomFrom } from "./random.ts";

/** A server that has gone through the soak: its schedules are paused, and what was due has ended. */
export interface Soaked {
  readonly lakehelm: Lakehelm;
  readonly dataDir: string;
  readonly load: Load;
  /** Slots up to here were due. */
  readonly until: Date;
  readonly faults: Faults;
  remove(): Promise<void>;
}

export async function soak(load: Load, seconds: number, seed: number): Promise<Soaked> {
  const dataDir = await mkdtemp(join(tmpdir(), "lakehelm-soak-"));
  const lakehelm = lakehelmOn(dataDir, await freePort());
  await lakehelm.start();
  await install(lakehelm.client, load);
  const faults = await injectFaults(lakehelm, dataDir, seconds, randomFrom(seed));
  const until = new Date();
  await settle(lakehelm, load);
  return {
    lakehelm,
    dataDir,
    load,
    until,
    faults,
    async remove() {
      await lakehelm.kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Nothing new begins; what has begun ends; then every pipeline takes what is left for it. */
async function settle({ client }: Lakehelm, load: Load): Promise<void> {
  for (let n = 0; n < load.automations; n++) {
    await client.setSchedule({ params: { automation_alias: automationName(n), action: "pause" } });
  }
  await idle(client);
  const { pipelines } = await client.listPipelines({ query: { limit: 1000 } });
  const names = new Set(Array.from({ length: load.pipelines }, (_, n) => pipelineName(n)));
  for (const { pipeline_id, name } of pipelines) {
    if (names.has(name)) await client.startPipelineUpdate({ params: { pipeline_id }, body: {} });
  }
  await idle(client);
}

async function idle(client: Lakehelm["client"]): Promise<void> {
  const open = async () => {
    const [queued, running] = await Promise.all([
      client.listRuns({ query: { status: "queued", limit: 1 } }),
      client.listRuns({ query: { status: "running", limit: 1 } }),
    ]);
    return queued.runs.length + running.runs.length;
  };
  while ((await open()) > 0) await new Promise((resume) => setTimeout(resume, 200));
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, "127.0.0.1", () => resolve((probe.address() as { port: number }).port));
  });
  await new Promise((closed) => probe.close(closed));
  return port;
}
