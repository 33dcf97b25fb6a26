import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { setQuery } from "../../app/router.ts";
import { refreshSecrets } from "../../data/secrets.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/toasts.tsx";

interface SetSecretProps {
  readonly environment: string;
  readonly scope: string | undefined;
  /** The secret to replace; absent: a new one. */
  readonly secret?: string | undefined;
  readonly onClose: () => void;
}

/** Stores a secret. Its value cannot be shown afterwards. */
export function SetSecretDialog({ environment, scope: first, secret, onClose }: SetSecretProps): VNode {
  const [scope, setScope] = useState(first ?? "");
  const [key, setKey] = useState(secret ?? "");
  const [value, setValue] = useState("");
  const save = useAction(async () => {
    const params = { scope: scope.trim(), key: key.trim() };
    const { message } = await api.putSecret({ params, body: { value }, environment });
    refreshSecrets();
    setQuery({ scope: params.scope });
    notify(message);
    onClose();
  });
  const missing = [scope, key].some((text) => text.trim() === "") || value === "";
  return (
    <FormDialog
      title={secret === undefined ? `Set a secret in ${environment}` : `Replace ${first}/${secret}`}
      onClose={onClose}
      action={save}
      submit="Store"
      whyNot={missing ? "Enter a scope, a name and a value." : undefined}
    >
      {secret === undefined && (
        <>
          <Field
            label="Scope"
            value={scope}
            onInput={setScope}
            hint="Secrets that belong together, such as crm."
          />
          <Field label="Name" value={key} onInput={setKey} placeholder="password" />
        </>
      )}
      <Field
        label="Value"
        type="password"
        value={value}
        onInput={setValue}
        path="value"
        error={save.error}
        autocomplete="off"
        hint="It is stored encrypted and never shown again."
      />
    </FormDialog>
  );
}
