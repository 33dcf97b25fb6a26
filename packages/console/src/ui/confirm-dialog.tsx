import type { ComponentChildren, VNode } from "preact";
import { useAction } from "../app/queries.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  /** The text of the button that does it: a verb. */
  readonly confirm: string;
  readonly kind?: "primary" | "danger";
  /** The dialog closes when it succeeds; its error is shown. */
  readonly perform: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone, or that changes more than what is on the page. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  kind = "danger",
  perform,
  onClose,
}: ConfirmDialogProps): VNode {
  const action = useAction(async () => {
    await perform();
    onClose();
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} onClick={() => void action.run()} isBusy={action.isRunning}>
            {confirm}
          </Button>
        </>
      }
    >
      <div class="stack">{children}</div>
      {action.error && <ErrorBox error={action.error} />}
    </Dialog>
  );
}
