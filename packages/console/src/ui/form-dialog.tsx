import type { ComponentChildren, VNode } from "preact";
import type { Action } from "../app/queries.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Runs when the form is submitted. Its error is shown below the fields. */
  readonly action: Action<[]>;
  /** The text of the button that submits it: a verb. */
  readonly submit: ComponentChildren;
  readonly kind?: "primary" | "danger";
  readonly whyNot?: string | undefined;
  readonly onClose: () => void;
}

/** Fields with a button that submits them and a button that cancels. */
export function FormDialog({
  title,
  children,
  action,
  submit,
  kind = "primary",
  whyNot,
  onClose,
}: FormDialogProps): VNode {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} onClick={() => void action.run()} isBusy={action.isRunning} whyNot={whyNot}>
            {submit}
          </Button>
        </>
      }
    >
      {children}
      {action.error && <ErrorBox error={action.error} />}
    </Dialog>
  );
}
