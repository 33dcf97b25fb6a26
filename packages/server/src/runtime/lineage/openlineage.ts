import type { Run } from "@lakehelm/contract";
import type { Logger } from "pino";
import type { Outbox } from "../../core/outbox/outbox.ts";
import {
  completed,
  handlerOf,
  type OutboxAttempt,
  type OutboxHandlers,
  topic,
} from "../../core/outbox/topic.ts";
import type { System } from "../../core/system.ts";
import type { StoredJob } from "../jobs/job-rows.ts";
import type { Lineage, LineageDataset, LineageReport } from "../jobs/lineage.ts";

/** One change of a run, as the outbox keeps it until it is sent. */
interface RunReport {
  readonly type: "START" | "COMPLETE" | "FAIL" | "ABORT";
  readonly time: string;
  readonly runId: string;
  readonly job: Pick<StoredJob, "name" | "kind" | "environmentId">;
  /** The run of the automation that started this run. */
  readonly parentId: string | null;
  readonly lineage: Lineage;
  readonly error: string | null;
}

const openLineageTopic = topic<RunReport>("openlineage");

const types = { succeeded: "COMPLETE", failed: "FAIL", cancelled: "ABORT" } as const;
const nothing: Lineage = { inputs: [], outputs: [] };
const timeoutMs = 10_000;
/** A receiver that is unavailable for longer misses events: they must not fill the database. */
const keptMs = 3_600_000;
/** A message may quote a value of any length. */
const maxError = 2_000;
const maxDatasets = 1_000;

export interface OpenLineageOptions {
  /** The URL of the receiver, without `/api/v1/lineage`. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly namespace: string;
  readonly version: string;
  readonly system: Pick<System, "now" | "newId">;
  readonly log: Pick<Logger, "warn">;
  readonly outbox: () => Pick<Outbox, "add">;
  readonly environmentName: (id: string) => Promise<string | undefined>;
  /** The job of a run, if it still exists. */
  readonly jobOfRun: (runId: string) => Promise<RunReport["job"] | undefined>;
}

/** Sends OpenLineage events when runs start and end. The outbox keeps them until the receiver has them. */
export function createOpenLineage(options: OpenLineageOptions): {
  readonly report: LineageReport;
  readonly handlers: OutboxHandlers;
} {
  const url = new URL(`${options.url.replace(/\/+$/, "")}/api/v1/lineage`);
  const add = (run: Run, payload: RunReport) =>
    options.outbox().add(openLineageTopic, {
      id: options.system.newId(),
      // One key for each run, so that its start is sent before its end.
      key: `openlineage/${run.id}`,
      environmentId: run.environment_id,
      payload,
    });
  const about = ({ id, cause }: Run, { name, kind, environmentId }: StoredJob) => ({
    runId: id,
    job: { name, kind, environmentId },
    parentId: cause.automation?.run_id ?? null,
  });

  async function eventOf({ type, time, runId, job, parentId, lineage, error }: RunReport) {
    const { namespace, version } = options;
    const producer = `urn:lakehelm:${version}`;
    const facet = (name: string, of: object) => ({
      _producer: producer,
      _schemaURL: `https://openlineage.io/spec/facets/${name}`,
      ...of,
    });
    const environmentName = async (id: string) => (await options.environmentName(id)) ?? id;
    const nameOf = async ({ environmentId, kind, name }: RunReport["job"]) => ({
      namespace,
      name: `${await environmentName(environmentId)}.${kind}.${name}`,
    });
    const parent = parentId === null ? undefined : await options.jobOfRun(parentId);
    const warehouse = `lakehelm://${namespace}/${await environmentName(job.environmentId)}`;
    const datasets = (list: readonly LineageDataset[]) =>
      list.map((dataset) => ({ namespace: dataset.namespace ?? warehouse, name: dataset.name }));
    return {
      eventType: type,
      eventTime: time,
      producer,
      schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
      run: {
        runId,
        facets: {
          ...(parent && {
            parent: facet("1-1-0/ParentRunFacet.json#/$defs/ParentRunFacet", {
              run: { runId: parentId },
              job: await nameOf(parent),
            }),
          }),
          ...(error !== null && {
            errorMessage: facet("1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet", {
              message: error,
              programmingLanguage: "SQL",
            }),
          }),
        },
      },
      job: {
        ...(await nameOf(job)),
        facets: {
          jobType: facet("2-0-3/JobTypeJobFacet.json#/$defs/JobTypeJobFacet", {
            processingType: "BATCH",
            integration: "LAKEHELM",
            jobType: job.kind.toUpperCase(),
          }),
        },
      },
      inputs: datasets(lineage.inputs),
      outputs: datasets(lineage.outputs),
    };
  }

  async function send(report: RunReport, signal: AbortSignal): Promise<void> {
    const { apiKey } = options;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(await eventOf(report)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redirect: "error",
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The receiver answered with status ${response.status}.`);
  }

  async function sendOrDrop(report: RunReport, signal: AbortSignal): Promise<OutboxAttempt<void>> {
    try {
      await send(report, signal);
    } catch (error) {
      if (options.system.now().getTime() - Date.parse(report.time) < keptMs) throw error;
      options.log.warn(
        { err: error, run: report.runId, type: report.type },
        "an OpenLineage event was dropped",
      );
    }
    return completed(undefined);
  }

  return {
    report: {
      started: (run, job, at) =>
        add(run, {
          ...about(run, job),
          type: "START",
          time: at.toISOString(),
          lineage: nothing,
          error: null,
        }),
      ended: (run, job, { outcome, error, at }, { inputs, outputs }) =>
        add(run, {
          ...about(run, job),
          type: types[outcome],
          time: at.toISOString(),
          lineage: { inputs: inputs.slice(0, maxDatasets), outputs: outputs.slice(0, maxDatasets) },
          error: error === null ? null : error.slice(0, maxError),
        }),
    },
    handlers: handlerOf(openLineageTopic, {
      perform: ({ payload }, signal) => sendOrDrop(payload, signal),
    }),
  };
}
