import { setTimeout as pause } from "node:timers/promises";
import type { Connector, Job, PipelineResponse, Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import type { Definition } from "./definitions.ts";
import { type Moved, movedBy } from "./moved.ts";

/** One connector, pipeline or flow of the shop, after it has run. */
export interface Step {
  readonly name: string;
  readonly job: Job;
  readonly moved: readonly Moved[];
  /** Why rows were not taken, for each that is kept: by this call, or by one before it. */
  readonly rejects: readonly string[];
}

const patienceMs = 60_000;

/** Makes it, unless it is there; then runs it, and waits for the end. */
export async function takeStep(client: Client, definition: Definition, began: Date): Promise<Step> {
  const { id, name, job, problem } = await found(client, definition);
  if (job === null) throw new Error(`${name} could not be set up. ${problem ?? ""}`);
  const params = { job_id: job };
  await ended(client, await client.runJob({ params, body: { reason: "npm run demo" } }), name);
  // The job's own trigger may have begun a run, too: a quarter of an hour is over, or somebody has put a file there.
  const { runs } = await client.listRunsOfJob({ params, query: { status: "succeeded" } });
  const ours = runs.filter(({ queued_at }) => Date.parse(queued_at) >= began.getTime());
  const isConnector = definition.kind === "connector";
  const { rejects } = isConnector
    ? await client.listRejects({ params: { connector_id: id } })
    : { rejects: [] };
  return {
    name,
    job: await client.getJob({ params }),
    moved: movedBy(ours, definition),
    rejects: rejects.map(({ reason }) => reason),
  };
}

interface Found {
  readonly id: string;
  readonly name: string;
  readonly job: string | null;
  readonly problem: string | null;
}

async function found(client: Client, { kind, body }: Definition): Promise<Found> {
  if (kind === "connector") {
    for await (const one of client.all.listConnectors()) if (one.name === body.name) return withJob(one);
    return withJob(await client.createConnector({ body }));
  }
  if (kind === "pipeline") {
    for await (const one of client.all.listPipelines()) if (one.name === body.name) return pipelineFound(one);
    return pipelineFound(await client.createPipeline({ body }));
  }
  for await (const one of client.all.listFlows()) if (one.name === body.flow_name) return withJob(one);
  return withJob(await client.createFlow({ body }));
}

const withJob = ({
  id,
  name,
  workflow_id,
  error_message,
}: Pick<Connector, "id" | "name" | "workflow_id" | "error_message">): Found => ({
  id,
  name,
  job: workflow_id,
  problem: error_message,
});

const pipelineFound = ({
  pipeline_id,
  name,
  platform_reference,
  error_message,
}: PipelineResponse): Found => ({
  id: pipeline_id,
  name,
  job: typeof platform_reference === "string" ? platform_reference : null,
  problem: typeof error_message === "string" ? error_message : null,
});

async function ended(client: Client, { id }: Run, name: string): Promise<void> {
  const params = { run_id: id };
  for (const until = performance.now() + patienceMs; performance.now() < until; await pause(50)) {
    const { status, error } = await client.getRun({ params });
    if (status === "succeeded") return;
    if (status !== "queued" && status !== "running") {
      throw new Error(`The run of ${name} is ${status}. ${error ?? ""}`);
    }
  }
  throw new Error(`The run ${id} of ${name} has not ended within ${patienceMs / 1000} s.`);
}
