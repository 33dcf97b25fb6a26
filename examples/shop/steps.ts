import { setTimeout as pause } from "node:timers/promises";
import type { Connector, Job, PipelineResponse, Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import type { ShopDefinition } from "./definitions.ts";
import { type RowCounts, totalCounts } from "./row-counts.ts";

/** A connector, pipeline or flow of the shop after its run. */
export interface ShopStep {
  readonly name: string;
  readonly job: Job;
  readonly counts: readonly RowCounts[];
  /** The reason of each reject, including rejects of earlier runs of the demo. */
  readonly rejects: readonly string[];
}

/** The first statements of a new Spark cluster take a minute, and much longer on a busy machine. */
const runTimeoutMs = 900_000;

/** Runs a connector, pipeline or flow, and waits for the end of the run. */
export async function runStep(client: Client, definition: ShopDefinition, since: Date): Promise<ShopStep> {
  const { id, name, jobId, problem } = await find(client, definition);
  if (jobId === null) throw new Error(`${name} has no job. ${problem ?? ""}`);
  const params = { job_id: jobId };
  await waitForEnd(client, await client.runJob({ params, body: { reason: "npm run demo" } }), name);
  // The trigger of the job may have started a run as well, so count all runs of this demo.
  const { runs } = await client.listRunsOfJob({ params, query: { status: "succeeded" } });
  const recent = runs.filter(({ queued_at }) => Date.parse(queued_at) >= since.getTime());
  const isConnector = definition.kind === "connector";
  const { rejects } = isConnector
    ? await client.listRejects({ params: { connector_id: id } })
    : { rejects: [] };
  return {
    name,
    job: await client.getJob({ params }),
    counts: totalCounts(recent, definition),
    rejects: rejects.map(({ reason }) => reason),
  };
}

interface ShopResource {
  readonly id: string;
  readonly name: string;
  readonly jobId: string | null;
  readonly problem: string | null;
}

export const nameOf = ({ kind, body }: ShopDefinition): string =>
  kind === "flow" ? body.flow_name : body.name;

async function find(client: Client, definition: ShopDefinition): Promise<ShopResource> {
  const { kind } = definition;
  const name = nameOf(definition);
  const query = { name };
  const [found] =
    kind === "connector"
      ? (await client.listConnectors({ query })).connectors.map(withJob)
      : kind === "pipeline"
        ? (await client.listPipelines({ query })).pipelines.map(fromPipeline)
        : (await client.listFlows({ query })).flows.map(withJob);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

const withJob = ({
  id,
  name,
  workflow_id,
  error_message,
}: Pick<Connector, "id" | "name" | "workflow_id" | "error_message">): ShopResource => ({
  id,
  name,
  jobId: workflow_id,
  problem: error_message,
});

const fromPipeline = ({
  pipeline_id,
  name,
  platform_reference,
  error_message,
}: PipelineResponse): ShopResource => ({
  id: pipeline_id,
  name,
  jobId: typeof platform_reference === "string" ? platform_reference : null,
  problem: typeof error_message === "string" ? error_message : null,
});

async function waitForEnd(client: Client, { id }: Run, name: string): Promise<void> {
  const params = { run_id: id };
  for (const until = performance.now() + runTimeoutMs; performance.now() < until; await pause(50)) {
    const { status, error } = await client.getRun({ params });
    if (status === "succeeded") return;
    if (status !== "queued" && status !== "running") {
      throw new Error(`The run of ${name} has the status ${status}. ${error ?? ""}`);
    }
  }
  throw new Error(
    `The run ${id} of ${name} did not end within ${runTimeoutMs / 60_000} minutes. Run the demo again: it goes on.`,
  );
}
