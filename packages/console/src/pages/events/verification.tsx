import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import type { EventVerdict } from "../../data/events.ts";
import { counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Time } from "../../ui/time.tsx";

/** Has the server verify the hash chain of the event log. */
export function useVerification() {
  const [found, setFound] = useState<{ verdict: EventVerdict; at: string } | undefined>();
  const show = (verdict: EventVerdict) => setFound({ verdict, at: new Date().toISOString() });
  const action = useAction(async () => show(await api.verifyEvents()));
  const button = (
    <Button onClick={() => void action.run()} isBusy={action.isRunning} whyNot={whyNot("admin")}>
      <Icon name="check" />
      {action.isRunning ? "Verifying…" : "Verify the log"}
    </Button>
  );
  const result = action.error ? (
    <ErrorBox error={action.error} />
  ) : (
    found && <Verdict {...found} show={show} onClose={() => setFound(undefined)} />
  );
  return { button, result };
}

interface VerdictProps {
  readonly verdict: EventVerdict;
  readonly at: string;
  readonly show: (verdict: EventVerdict) => void;
  readonly onClose: () => void;
}

function Verdict({ verdict, at, show, onClose }: VerdictProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const { intact, checked, removed, problem, reason } = verdict;
  return (
    <section class={intact ? "verdict good" : "verdict bad"} role="status" aria-label="Verification">
      <div class="grow">
        <strong>{intact ? "The event log is intact" : "The event log is not intact"}</strong>
        <p>
          {intact
            ? `${counted(checked, "event")} verified: none was changed or removed.`
            : `${problem ?? "A problem was found."} The events before it are as they were written.`}{" "}
          {removed > 0 &&
            `${counted(removed, "older event")} were moved to the archive by retention; verify them there.`}
        </p>
        <p class="soft">
          Verified <Time at={at} />. Each event's hash covers the event and, through the hash of the one
          before, all earlier ones{reason ? `. Kind of the problem: ${reason}` : ""}.
        </p>
      </div>
      {!intact && <Button onClick={() => setOpen(true)}>Acknowledge…</Button>}
      <Button kind="quiet" onClick={onClose} label="Dismiss">
        ×
      </Button>
      {isOpen && <AcknowledgeDialog show={show} onClose={() => setOpen(false)} />}
    </section>
  );
}

function AcknowledgeDialog({ show, onClose }: Pick<VerdictProps, "show" | "onClose">): VNode {
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      title="Acknowledge the problems"
      confirm="Acknowledge"
      onClose={onClose}
      perform={async () => show(await api.acknowledgeEvents({ body: { reason } }))}
    >
      <p>
        Records an event with your reason, and verifies the log again. Problems that were recorded before no
        longer count. A changed or removed event stays a problem.
      </p>
      <Field
        label="Why the log is trusted again"
        value={reason}
        onInput={setReason}
        placeholder="The backup of 1 May was restored."
        required
      />
    </ConfirmDialog>
  );
}
