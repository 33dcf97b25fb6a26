import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { counted } from "@lakehelm/contract/text";
import { Failure } from "../failure.ts";
import { type Io, write } from "../io.ts";
import { indented } from "../output/escape.ts";

/** Runs every resource once, in the order in which data flows: imports, pipelines, flows, exports. */
export async function runOnce(io: Io, client: Client, environment: string): Promise<void> {
  const options = { environment, signal: io.signal };
  const connectors = await Array.fromAsync(client.all.listConnectors(options));
  const isImport = ({ target_type }: (typeof connectors)[number]) => target_type === "warehouse";
  const pipelines = await Array.fromAsync(client.all.listPipelines(options));
  const flows = await Array.fromAsync(client.all.listFlows(options));
  const jobs = [
    ...connectors.filter(isImport).map(({ name, workflow_id }) => [name, workflow_id] as const),
    ...pipelines.map(({ name, platform_reference }) => [name, platform_reference] as const),
    ...flows.map(({ name, workflow_id }) => [name, workflow_id] as const),
    ...connectors
      .filter((one) => !isImport(one))
      .map(({ name, workflow_id }) => [name, workflow_id] as const),
  ];
  for (const [name, job_id] of jobs) {
    if (typeof job_id !== "string") continue;
    const run = await ended(client, await firstRunOf(client, job_id, io.signal), io.signal);
    await write(io.stdout, `${runText(name, run)}\n`);
    if (run.status !== "succeeded")
      throw new Failure(`The run of ${name} is ${run.status}. ${run.error ?? ""}`);
  }
}

/** The run that the job's trigger has already started, or else a new run: a second run would move no rows. */
async function firstRunOf(client: Client, job_id: string, signal: AbortSignal): Promise<string> {
  const { runs } = await client.listRunsOfJob({ params: { job_id }, query: { limit: 1 }, signal });
  const [started] = runs;
  if (started && ["queued", "running", "succeeded"].includes(started.status)) return started.id;
  return (await client.runJob({ params: { job_id }, body: { reason: "lakehelm init" }, signal })).id;
}

async function ended(client: Client, run_id: string, signal: AbortSignal): Promise<Run> {
  for (;;) {
    const run = await client.getRun({ params: { run_id }, signal });
    if (run.status !== "queued" && run.status !== "running") return run;
    await sleep(100, undefined, { signal });
  }
}

/** `orders-in succeeded: 4 rows inserted` */
export function runText(
  name: string,
  { status, metrics, error }: Pick<Run, "status" | "metrics" | "error">,
): string {
  const counts = Object.entries(metrics)
    .filter(
      ([key, value]) =>
        /^rows_(?:inserted|updated|deleted|added|moved|written)$/.test(key) && Number(value) > 0,
    )
    .map(([key, value]) => `${counted(value, "row")} ${key.slice(5)}`);
  // A run that succeeded has an error message if its checks failed.
  const why = (status === "failed" || status === "succeeded") && error ? `: ${error}` : "";
  return indented(`${name} ${status}${counts.length > 0 ? `: ${counts.join(", ")}` : ""}${why}`, "  ");
}
