import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { queryClient, useAction } from "../app/queries.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { Icon } from "./icons.tsx";
import { notify } from "./toasts.tsx";

interface PauseRequest {
  readonly reason?: string;
  readonly until?: string;
}

interface PauseButtonProps {
  readonly name: string;
  readonly isPaused: boolean;
  readonly whyNot: string | undefined;
  readonly pause: (request: PauseRequest) => Promise<unknown>;
  readonly resume: () => Promise<unknown>;
}

/** Pauses with a reason and an end, or resumes. */
export function PauseButton({ name, isPaused, whyNot, pause, resume }: PauseButtonProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const resuming = useAction(async () => {
    await resume();
    void queryClient.invalidateQueries();
    notify(`${name} is active again.`);
  });
  if (isPaused) {
    return (
      <Button onClick={() => void resuming.run()} isBusy={resuming.isRunning} whyNot={whyNot}>
        <Icon name="play" />
        Resume
      </Button>
    );
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} whyNot={whyNot}>
        <Icon name="pause" />
        Pause
      </Button>
      {isOpen && <PauseDialog name={name} pause={pause} onClose={() => setOpen(false)} />}
    </>
  );
}

interface PauseDialogProps extends Pick<PauseButtonProps, "name" | "pause"> {
  readonly onClose: () => void;
}

function PauseDialog({ name, pause, onClose }: PauseDialogProps): VNode {
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const pausing = useAction(async () => {
    await pause({
      ...(reason && { reason }),
      ...(until && { until: new Date(until).toISOString() }),
    });
    void queryClient.invalidateQueries();
    notify(`${name} is paused.`);
    onClose();
  });
  return (
    <FormDialog title={`Pause ${name}`} onClose={onClose} action={pausing} submit="Pause">
      <Field
        label="Reason"
        value={reason}
        onInput={setReason}
        path="reason"
        error={pausing.error}
        hint="For the people who wonder why."
      />
      <Field
        label="Until"
        type="datetime-local"
        value={until}
        onInput={setUntil}
        path="until"
        error={pausing.error}
        hint="In your time zone. Empty: until somebody resumes it."
      />
    </FormDialog>
  );
}
