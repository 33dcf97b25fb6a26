import type { Environment } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { refreshEnvironments } from "../../data/environments.ts";
import { CheckBox } from "../../ui/check-box.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface EnvironmentFormProps {
  /** The environment to change; absent: a new one. */
  readonly environment?: Environment;
  /** The version that is shown: a newer one is not overwritten. */
  readonly etag?: string | undefined;
  readonly onClose: () => void;
  readonly onSaved?: (environment: Environment) => void;
}

const texts = [
  { name: "description", label: "Description", hint: "What it is for." },
  { name: "gitRepository", label: "Repository", hint: "The URL that bundles are deployed from." },
  { name: "targetGitBranch", label: "Branch", hint: "The branch that is deployed here." },
  {
    name: "secretScope",
    label: "Secret scope",
    hint: "Where generated code reads its secrets. Empty: lakehelm.",
  },
  {
    name: "dataPlatformClientIdKey",
    label: "Secret with the client id",
    hint: "Its name in the secret scope.",
  },
  {
    name: "dataPlatformClientSecretKey",
    label: "Secret with the client secret",
    hint: "Its name in the secret scope.",
  },
] as const;

/** Creates an environment, or changes one. */
export function EnvironmentForm({ environment, etag, onClose, onSaved }: EnvironmentFormProps): VNode {
  const [name, setName] = useState(environment?.name ?? "");
  const [platform, setPlatform] = useState(environment?.platform ?? "");
  const [values, setValues] = useState(() =>
    Object.fromEntries(texts.map((field) => [field.name, environment?.[field.name] ?? ""])),
  );
  const [configuration, setConfiguration] = useState(
    JSON.stringify(environment?.configuration ?? {}, null, 2),
  );
  const [isActive, setActive] = useState(environment?.isActive ?? true);
  const save = useAction(async () => {
    const body = {
      name: name.trim(),
      ...Object.fromEntries(texts.map((field) => [field.name, values[field.name]?.trim() || null])),
      ...(platform.trim() && { platform: platform.trim() }),
      configuration: mapOf(configuration),
      isActive,
    };
    const saved = environment
      ? await api.updateEnvironment({
          params: { environment_id: environment.id },
          body,
          ...(etag && { ifMatch: etag }),
        })
      : await api.createEnvironment({ body, idempotencyKey: crypto.randomUUID() });
    refreshEnvironments();
    onClose();
    onSaved?.(saved);
  });
  const common = { error: save.error };
  return (
    <FormDialog
      title={environment ? `Edit ${environment.name}` : "New environment"}
      onClose={onClose}
      action={save}
      submit={environment ? "Save" : "Create"}
    >
      <Field label="Name" value={name} onInput={setName} path="name" required {...common} />
      <Field
        label="Platform"
        value={platform}
        onInput={setPlatform}
        path="platform"
        hint="embedded, databricks or spark. Empty: the default of the server."
        {...common}
      />
      {texts.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          hint={field.hint}
          value={values[field.name] ?? ""}
          onInput={(value) => setValues({ ...values, [field.name]: value })}
          path={field.name}
          {...common}
        />
      ))}
      <Field
        label="Configuration"
        type="textarea"
        value={configuration}
        onInput={setConfiguration}
        path="configuration"
        hint="A JSON object, such as catalog, schema and timezone. A secret left as ******** stays as it is."
        {...common}
      />
      <CheckBox label="Active: runs may start in it" isChecked={isActive} onChange={setActive} />
    </FormDialog>
  );
}

function mapOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() || "{}");
  } catch (error) {
    throw new Error(`The configuration is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error('The configuration must be a JSON object, such as {"catalog": "shop"}.');
  return value as Record<string, unknown>;
}
