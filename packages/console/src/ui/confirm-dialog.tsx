import type { ComponentChildren, VNode } from "preact";
import { useAction } from "../app/queries.ts";
import { FormDialog } from "./form-dialog.tsx";

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
    <FormDialog title={title} onClose={onClose} action={action} submit={confirm} kind={kind}>
      <div class="stack">{children}</div>
    </FormDialog>
  );
}
