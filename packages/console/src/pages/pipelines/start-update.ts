import { api } from "../../app/client.ts";
import { setQuery } from "../../app/router.ts";
import { type Pipeline, refreshPipelines } from "../../data/pipelines.ts";
import { refreshRuns } from "../../data/runs.ts";
import { notify } from "../../ui/toasts.tsx";

export interface StartOptions {
  readonly validate_only?: boolean;
  readonly full_refresh?: boolean;
  readonly full_refresh_selection?: string[];
  readonly refresh_selection?: string[];
  readonly reason?: string;
}

/** Starts an update and shows its page. */
export async function startUpdate(pipeline: Pipeline, body: StartOptions): Promise<void> {
  await api.startPipelineUpdate({
    params: { pipeline_id: pipeline.pipeline_id },
    body,
    idempotencyKey: crypto.randomUUID(),
  });
  refreshPipelines();
  refreshRuns();
  setQuery({ update: undefined });
  notify(
    body.validate_only
      ? `${pipeline.name} is being validated.`
      : `An update of ${pipeline.name} has started.`,
  );
}
