import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@lakehelm/testing/free-port";
import { until } from "@lakehelm/testing/until";
import { injectFaults, type KillCounts } from "./faults.ts";
import { seededRandom } from "./random.ts";
import { createSoakServer, type SoakServer } from "./server.ts";
import { automationName, installWorkload, pipelineName, type Workload } from "./workload.ts";

/** A server after the soak test: its schedules are paused and all runs have ended. */
export interface SoakResult {
  readonly server: SoakServer;
  readonly dataDir: string;
  /** Schedules were active until this time. */
  readonly until: Date;
  readonly kills: KillCounts;
}

export async function runSoak(
  workload: Workload,
  seconds: number,
  seed: number,
  /** Before the server starts, receives a function that kills the server and deletes the data folder. */
  onOpen: (dispose: () => Promise<void>) => void,
): Promise<SoakResult> {
  const dataDir = await mkdtemp(join(tmpdir(), "lakehelm-soak-"));
  const server = createSoakServer(dataDir, await freePort());
  onOpen(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  await server.start();
  await installWorkload(server.client, workload);
  const kills = await injectFaults(server, dataDir, seconds, seededRandom(seed));
  const until = new Date();
  await drain(server, workload);
  return {
    server,
    dataDir,
    until,
    kills,
  };
}

/** Pauses all schedules, waits for active runs, then updates each pipeline once more. */
async function drain({ client }: SoakServer, workload: Workload): Promise<void> {
  for (let n = 0; n < workload.automations; n++) {
    await client.setSchedule({ params: { automation_alias: automationName(n), action: "pause" } });
  }
  await untilIdle(client);
  const { pipelines } = await client.listPipelines({ query: { limit: 1000 } });
  const names = new Set(Array.from({ length: workload.pipelines }, (_, n) => pipelineName(n)));
  for (const { pipeline_id, name } of pipelines) {
    if (names.has(name)) await client.startPipelineUpdate({ params: { pipeline_id }, body: {} });
  }
  await untilIdle(client);
}

async function untilIdle(client: SoakServer["client"]): Promise<void> {
  const openRuns = async () => {
    const [queued, running] = await Promise.all([
      client.listRuns({ query: { status: "queued", limit: 1 } }),
      client.listRuns({ query: { status: "running", limit: 1 } }),
    ]);
    return queued.runs.length + running.runs.length;
  };
  await until(async () => (await openRuns()) === 0, 200, 300_000);
}
