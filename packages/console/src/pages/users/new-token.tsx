import type { User } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { refreshUsers } from "../../data/users.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

const day = 86_400;
const lifetimes = [
  { value: String(30 * day), text: "30 days" },
  { value: String(90 * day), text: "90 days" },
  { value: String(365 * day), text: "1 year" },
  { value: String(day), text: "1 day" },
  { value: "", text: "until it is revoked" },
];

/** Creates a token and shows it once. */
export function NewTokenDialog({ user, onClose }: { user: User; onClose: () => void }): VNode {
  const [comment, setComment] = useState("");
  const [lifetime, setLifetime] = useState(lifetimes[0]?.value ?? "");
  const [token, setToken] = useState<string | undefined>();
  const create = useAction(async () => {
    const issued = await api.createToken({
      params: { user_id: user.id },
      body: { comment: comment.trim(), lifetime_seconds: lifetime === "" ? null : Number(lifetime) },
    });
    setToken(issued.token);
    refreshUsers();
  });
  if (token !== undefined) {
    return (
      <Dialog
        title="The new token"
        onClose={onClose}
        footer={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <p>Copy it now: it is shown only this once. The server stores its hash.</p>
        <div class="row">
          <input
            class="input mono grow"
            aria-label="Token"
            readOnly
            value={token}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={token} />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog title={`New token for ${user.username}`} onClose={onClose} action={create} submit="Create">
      <Field
        label="What it is for"
        value={comment}
        onInput={setComment}
        placeholder="laptop"
        path="comment"
        error={create.error}
      />
      <Field
        label="Valid for"
        value={lifetime}
        onInput={setLifetime}
        options={lifetimes}
        path="lifetime_seconds"
        error={create.error}
      />
    </FormDialog>
  );
}
