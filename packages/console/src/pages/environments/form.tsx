import type { Environment } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { refreshEnvironments } from "../../data/environments.ts";
import { useSecrets } from "../../data/secrets.ts";
import { CheckBox } from "../../ui/check-box.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Configuration, type ConfigurationDraft, valuesOf } from "./configuration.tsx";

interface EnvironmentFormProps {
  /** The environment to change; absent: a new one. */
  readonly environment?: Environment;
  /** The version that the form shows, so that the save does not overwrite a newer one. */
  readonly etag?: string | undefined;
  readonly onClose: () => void;
  readonly onSaved?: (environment: Environment) => void;
}

const platforms = [
  { value: "", text: "The default of the server" },
  { value: "embedded", text: "embedded: DuckDB on this server" },
  { value: "databricks", text: "databricks: a workspace" },
  { value: "spark", text: "spark: a cluster with Spark Connect" },
];

interface TextField {
  readonly name:
    | "description"
    | "gitRepository"
    | "targetGitBranch"
    | "secretScope"
    | "dataPlatformClientIdKey"
    | "dataPlatformClientSecretKey";
  readonly label: string;
  readonly hint: string;
  /** The only platform with this option. Absent: all platforms have it. */
  readonly on?: string;
}

const texts: readonly TextField[] = [
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
    on: "databricks",
    label: "Secret with the client id",
    hint: "Its name in the secret scope.",
  },
  {
    name: "dataPlatformClientSecretKey",
    on: "databricks",
    label: "Secret with the client secret",
    hint: "Its name in the secret scope.",
  },
];

/** References to the secrets in the scope of an environment. */
function useReferences(environment: Environment | undefined): readonly string[] {
  const scope = environment && (environment.secretScope ?? "lakehelm");
  const { data } = useSecrets(environment?.name ?? "", scope);
  return (data?.secrets ?? []).map(({ key }) => `{{secrets/${scope}/${key}}}`);
}

/** Creates or changes an environment. */
export function EnvironmentForm({ environment, etag, onClose, onSaved }: EnvironmentFormProps): VNode {
  const [name, setName] = useState(environment?.name ?? "");
  const [platform, setPlatform] = useState(environment?.platform ?? "");
  const [values, setValues] = useState(() =>
    Object.fromEntries(texts.map((field) => [field.name, environment?.[field.name] ?? ""])),
  );
  const [configuration, setConfiguration] = useState<ConfigurationDraft>({
    values: environment?.configuration ?? {},
  });
  const references = useReferences(environment);
  const [isActive, setActive] = useState(environment?.isActive ?? true);
  const save = useAction(async () => {
    const body = {
      name: name.trim(),
      ...Object.fromEntries(texts.map((field) => [field.name, values[field.name]?.trim() || null])),
      ...(platform.trim() && { platform: platform.trim() }),
      configuration: valuesOf(configuration),
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
        options={platforms}
        {...common}
      />
      {texts
        .filter(({ on }) => on === undefined || on === platform)
        .map((field) => (
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
      <Configuration
        platform={platform || "embedded"}
        draft={configuration}
        onChange={setConfiguration}
        references={references}
        {...common}
      />
      <CheckBox label="Active: runs may start in it" isChecked={isActive} onChange={setActive} />
    </FormDialog>
  );
}
