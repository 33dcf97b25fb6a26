import type { Connector } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { queryClient, useAction } from "../../app/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { notify } from "../../ui/toasts.tsx";

interface PauseButtonProps {
  readonly connector: Connector;
  readonly whyNot: string | undefined;
}

/** Pauses with a reason and an end, or resumes. */
export function PauseButton({ connector, whyNot }: PauseButtonProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const params = { connector_id: connector.id };
  const resume = useAction(async () => {
    await api.resumeConnector({ params });
    void queryClient.invalidateQueries();
    notify(`${connector.name} is active again.`);
  });
  if (connector.status === "paused") {
    return (
      <Button onClick={() => void resume.run()} isBusy={resume.isRunning} whyNot={whyNot}>
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
      {isOpen && <PauseDialog connector={connector} onClose={() => setOpen(false)} />}
    </>
  );
}

function PauseDialog({ connector, onClose }: { connector: Connector; onClose: () => void }): VNode {
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const pause = useAction(async () => {
    await api.pauseConnector({
      params: { connector_id: connector.id },
      body: {
        ...(reason && { reason }),
        ...(until && { until: new Date(until).toISOString() }),
      },
    });
    void queryClient.invalidateQueries();
    notify(`${connector.name} is paused.`);
    onClose();
  });
  return (
    <Dialog
      title={`Pause ${connector.name}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void pause.run()} isBusy={pause.isRunning}>
            Pause
          </Button>
        </>
      }
    >
      <Field
        label="Reason"
        value={reason}
        onInput={setReason}
        path="reason"
        error={pause.error}
        hint="For the people who wonder why."
      />
      <Field
        label="Until"
        type="datetime-local"
        value={until}
        onInput={setUntil}
        path="until"
        error={pause.error}
        hint="In your time zone. Empty: until somebody resumes it."
      />
      {pause.error && <ErrorBox error={pause.error} />}
    </Dialog>
  );
}
