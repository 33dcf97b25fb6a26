import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { ValueField } from "../../ui/value-field.tsx";
import { isMap } from "../../ui/value-shape.ts";
import { type ConfigurationField, configurationFields } from "./configuration-fields.ts";

/** The configuration during an edit: as values, or as text that may not be valid JSON yet. */
export interface ConfigurationDraft {
  readonly values: Readonly<Record<string, unknown>>;
  readonly text?: string;
}

interface ConfigurationProps {
  readonly platform: string;
  readonly draft: ConfigurationDraft;
  readonly onChange: (draft: ConfigurationDraft) => void;
  readonly error: Error | undefined;
  /** References to the secrets that exist. */
  readonly references: readonly string[];
}

/** The settings of a platform as fields, or all settings as JSON. */
export function Configuration({ platform, draft, onChange, error, references }: ConfigurationProps): VNode {
  const [problem, setProblem] = useState<string | undefined>();
  const fields = configurationFields[platform] ?? [];
  const others = Object.keys(draft.values).filter((name) => !fields.some((field) => field.name === name));
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = draft.values;
    onChange({ values: value === undefined || value === "" ? rest : { ...draft.values, [name]: value } });
  };
  const toFields = () => {
    try {
      onChange({ values: valuesOf(draft) });
      setProblem(undefined);
    } catch (thrown) {
      setProblem((thrown as Error).message);
    }
  };
  const isJson = draft.text !== undefined;
  return (
    <fieldset class="value-group">
      <legend>Configuration</legend>
      {isJson ? (
        <Field
          label="Configuration"
          type="textarea"
          value={draft.text ?? ""}
          onInput={(text) => onChange({ values: draft.values, text })}
          path="configuration"
          hint="A JSON object. A secret left as ******** stays as it is."
          error={error}
        />
      ) : (
        fields.map((field) => (
          <Setting
            key={field.name}
            field={field}
            value={draft.values[field.name]}
            onChange={(value) => set(field.name, value)}
            error={error}
            references={references}
          />
        ))
      )}
      {!isJson && others.length > 0 && <p class="faint">Also set, as JSON: {others.join(", ")}.</p>}
      {problem && <span class="problem">{problem}</span>}
      <div>
        <Button
          onClick={
            isJson ? toFields : () => onChange({ ...draft, text: JSON.stringify(draft.values, null, 2) })
          }
        >
          {isJson ? "Edit as fields" : "Edit as JSON"}
        </Button>
      </div>
    </fieldset>
  );
}

interface SettingProps extends Pick<ConfigurationProps, "error" | "references"> {
  readonly field: ConfigurationField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Setting({ field, value, onChange, error, references }: SettingProps): VNode {
  const { name, label, hint, placeholder, shape, isSecret } = field;
  const list = useId();
  if (shape) return <ValueField label={label} shape={shape} value={value} onChange={onChange} />;
  return (
    <>
      <Field
        label={label}
        value={value === undefined || value === null ? "" : String(value)}
        onInput={onChange}
        hint={hint}
        path={`configuration.${name}`}
        error={error}
        {...(placeholder && { placeholder })}
        {...(isSecret && { list, autocomplete: "off" })}
      />
      {isSecret && (
        <datalist id={list}>
          {references.map((reference) => (
            <option key={reference} value={reference} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** The values of a draft. Throws an error if its text is invalid. */
export function valuesOf({ values, text }: ConfigurationDraft): Record<string, unknown> {
  if (text === undefined) return values;
  let value: unknown;
  try {
    value = JSON.parse(text.trim() || "{}");
  } catch (error) {
    throw new Error(`The configuration is not JSON: ${(error as Error).message}`);
  }
  if (!isMap(value)) throw new Error('The configuration must be a JSON object, such as {"catalog": "shop"}.');
  return value;
}
