import type { PipelineResponse, ScheduleOverride } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { turns } from "../../core/concurrency/turns.ts";
import type { Text } from "../../core/store/collection.ts";
import type { JobHistory, RunHistory } from "../../runtime/jobs/run-history.ts";
import type { PipelineDocument } from "./document.ts";
import { healthOf } from "./health.ts";
import { updateSummary } from "./update.ts";

/** Adds the current status to pipelines: `health`, `latest_updates`, and whether they were stopped. */
export interface PipelineStatus {
  of(pipeline: Text<PipelineDocument>): Promise<Text<PipelineResponse>>;
  ofAll(pipelines: readonly Text<PipelineDocument>[]): Promise<Text<PipelineResponse>[]>;
}

/** A pipeline has the same job, by id, for its whole life. */
export const jobIdOf = (pipelineId: string): string => `pipeline-${pipelineId}`;

export function createPipelineStatus(history: RunHistory, now: () => Date): PipelineStatus {
  async function ofAll(texts: readonly Text<PipelineDocument>[]): Promise<Text<PipelineResponse>[]> {
    const requests: { readonly jobId: string; readonly since: string }[] = [];
    const turn = turns();
    for (const text of texts) {
      const { pipeline_id, created_at } = JSON.parse(text) as PipelineDocument;
      requests.push({ jobId: jobIdOf(pipeline_id), since: created_at });
      await turn();
    }
    const histories = await history.of(requests);
    return texts.map((text, n) => withStatus(text, histories[n] ?? noHistory, now()));
  }
  return { ofAll, of: async (text) => (await ofAll([text]))[0] ?? "" };
}

const noHistory: JobHistory = { latest: [], succeeded: [], failedAt: null, failures: 0, paused: null };

/** The response for a pipeline that was just created. */
export const newPipelineResponse = (
  text: Text<PipelineDocument>,
  stopped: ScheduleOverride | undefined,
): Text<PipelineResponse> => withStatus(text, { ...noHistory, paused: stopped ?? null }, new Date(0));

type ShownHistory = Omit<JobHistory, "paused"> & {
  readonly paused: Pick<ScheduleOverride, "by" | "at" | "reason"> | null;
};

/** The stored text, followed by the computed fields. */
function withStatus(text: Text<PipelineDocument>, history: ShownHistory, now: Date): Text<PipelineResponse> {
  const { by, at, reason } = history.paused ?? {};
  const found = encodeJson({
    health: healthOf(history, now),
    latest_updates: history.latest.map(updateSummary),
    stopped: history.paused ? { by, at, reason } : null,
  });
  return `${text.slice(0, -1)},${found.slice(1)}`;
}
