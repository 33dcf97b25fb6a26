import type { ComponentChildren, VNode } from "preact";
import { useAction } from "../app/queries.ts";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** The consequences of the action. */
  readonly children: ComponentChildren;
  /** The text of the button that confirms: a verb. */
  readonly confirm: string;
  readonly kind?: "primary" | "danger";
  /** The action. The dialog closes if it succeeds, and otherwise shows its error. */
  readonly perform: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for confirmation of an action that cannot be undone, or that affects more than the page shows. */
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
