import type { PipelineResponse } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Text } from "../../core/store/text.ts";
import type { JobHistory, RunHistory } from "../../runtime/jobs/run-history.ts";
import type { Pipeline } from "./document.ts";
import { healthOf } from "./health.ts";
import { headOf } from "./update.ts";

/** Adds the current status to pipelines: `health`, `latest_updates`, and whether they were stopped. */
export interface PipelineStatus {
  of(pipeline: Text<Pipeline>): Promise<Text<PipelineResponse>>;
  ofAll(pipelines: readonly Text<Pipeline>[]): Promise<Text<PipelineResponse>[]>;
}

/** A pipeline has the same job, by id, for its whole life. */
export const jobIdOf = (pipelineId: string): string => `pipeline-${pipelineId}`;

export function createPipelineStatus(history: RunHistory, now: () => Date): PipelineStatus {
  async function ofAll(texts: readonly Text<Pipeline>[]): Promise<Text<PipelineResponse>[]> {
    const asked = texts.map((text) => {
      const { pipeline_id, created_at } = JSON.parse(text) as Pipeline;
      return { jobId: jobIdOf(pipeline_id), since: created_at };
    });
    const histories = await history.of(asked);
    return texts.map((text, n) => shown(text, histories[n] ?? nothingYet, now()));
  }
  return { ofAll, of: async (text) => (await ofAll([text]))[0] ?? "" };
}

const nothingYet: JobHistory = { latest: [], succeeded: [], failedAt: null, failures: 0, paused: null };

/** The response for a pipeline that was just created. */
export const newborn = (text: Text<Pipeline>): Text<PipelineResponse> => shown(text, nothingYet, new Date(0));

/** The stored text, followed by the computed fields. */
function shown(text: Text<Pipeline>, history: JobHistory, now: Date): Text<PipelineResponse> {
  const { by, at, reason } = history.paused ?? {};
  const found = encodeJson({
    health: healthOf(history, now),
    latest_updates: history.latest.map(headOf),
    stopped: history.paused ? { by, at, reason } : null,
  });
  return `${text.slice(0, -1)},${found.slice(1)}`;
}
