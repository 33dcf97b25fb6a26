import { setTimeout as pause } from "node:timers/promises";
import type { Job, Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import type { Definition } from "./definitions.ts";
import { type Moved, movedBy } from "./moved.ts";

/** One connector or flow of the shop, after it has run. */
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
  const { id, name, workflow_id, error_message } = await found(client, definition);
  if (workflow_id === null) throw new Error(`${name} could not be set up. ${error_message ?? ""}`);
  const params = { job_id: workflow_id };
  await ended(client, await client.runJob({ params, body: { reason: "npm run demo" } }), name);
  // The job's own trigger may have begun a run, too: a quarter of an hour is over, or somebody has put a file there.
  const { runs } = await client.listRunsOfJob({ params, query: { status: "succeeded" } });
  const ours = runs.filter(({ queued_at }) => Date.parse(queued_at) >= began.getTime());
  const isFlow = definition.kind === "flow";
  const { rejects } = isFlow ? { rejects: [] } : await client.listRejects({ params: { connector_id: id } });
  return {
    name,
    job: await client.getJob({ params }),
    moved: movedBy(ours, isFlow ? definition.body.target_name : undefined),
    rejects: rejects.map(({ reason }) => reason),
  };
}

async function found(client: Client, { kind, body }: Definition) {
  if (kind === "connector") {
    for await (const one of client.all.listConnectors()) if (one.name === body.name) return one;
    return client.createConnector({ body });
  }
  for await (const one of client.all.listFlows()) if (one.name === body.flow_name) return one;
  return client.createFlow({ body });
}

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
