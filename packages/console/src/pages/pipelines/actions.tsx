import type { PipelineGraph } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import type { Pipeline } from "../../data/pipelines.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { notify } from "../../ui/toasts.tsx";
import { StartDialog } from "./start-dialog.tsx";
import { type StartOptions, startUpdate } from "./start-update.ts";
import { StopDialog } from "./stop-dialog.tsx";
import { isActive } from "./texts.ts";

/** The actions start, validate, full refresh and stop. */
export function PipelineActions({
  pipeline,
  graph,
}: {
  pipeline: Pipeline;
  graph: PipelineGraph | undefined;
}): VNode {
  const [open, setOpen] = useState<"start" | "stop" | undefined>();
  const start = useAction(async (options: StartOptions) => {
    await startUpdate(pipeline, options).catch((error) => {
      notify(error instanceof Error ? error.message : String(error), true);
      throw error;
    });
  });
  const may = whyNot("operator", pipeline.environment_id);
  const why = may ?? pipeline.error_message ?? undefined;
  const isRunning = pipeline.latest_updates?.some(isActive) ?? false;
  const runsOn = pipeline.continuous && !pipeline.stopped;
  const whyNoStop = may ?? (isRunning || runsOn ? undefined : "Nothing is running.");
  const close = () => setOpen(undefined);
  return (
    <>
      <Button onClick={() => setOpen("stop")} whyNot={whyNoStop}>
        <Icon name="stop" />
        Stop
      </Button>
      <Button onClick={() => void start.run({ validate_only: true })} isBusy={start.isRunning} whyNot={why}>
        <Icon name="check" />
        Validate
      </Button>
      <Button onClick={() => setOpen("start")} whyNot={why}>
        <Icon name="retry" />
        Refresh…
      </Button>
      <Button kind="primary" onClick={() => void start.run({})} isBusy={start.isRunning} whyNot={why}>
        <Icon name="play" />
        Start
      </Button>
      {open === "start" && <StartDialog pipeline={pipeline} graph={graph} onClose={close} />}
      {open === "stop" && <StopDialog pipeline={pipeline} onClose={close} />}
    </>
  );
}
