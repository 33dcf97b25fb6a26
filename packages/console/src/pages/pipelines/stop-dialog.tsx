import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { type Pipeline, refreshPipelines } from "../../data/pipelines.ts";
import { refreshRuns } from "../../data/runs.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/toasts.tsx";

export function StopDialog({ pipeline, onClose }: { pipeline: Pipeline; onClose: () => void }): VNode {
  const [reason, setReason] = useState("");
  const stop = useAction(async () => {
    const body = reason ? { reason } : {};
    await api.stopPipeline({ params: { pipeline_id: pipeline.pipeline_id }, body });
    refreshPipelines();
    refreshRuns();
    notify(`${pipeline.name} is being stopped.`);
    onClose();
  });
  return (
    <FormDialog title={`Stop ${pipeline.name}`} onClose={onClose} action={stop} submit="Stop" kind="danger">
      <p class="soft">
        Cancels the running update and those that wait. Tables that are committed stay; no table is half
        written.
        {pipeline.continuous && " It stays stopped until somebody starts an update."}
      </p>
      <Field
        label="Reason"
        value={reason}
        onInput={setReason}
        path="reason"
        error={stop.error}
        hint="For the people who wonder why."
      />
    </FormDialog>
  );
}
