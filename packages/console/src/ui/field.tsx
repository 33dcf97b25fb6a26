import { ApiError } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "password" | "number" | "url" | "datetime-local" | "textarea";
  readonly hint?: string | undefined;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  /** The id of a list of suggestions. */
  readonly list?: string;
  /** An error of the form. The field shows it if the end of its `loc` equals `path`. */
  readonly error?: Error | undefined;
  /** The path of the value in the request's body, such as `target_config.host`. */
  readonly path?: string;
  /** The choices of a select element. Absent: the field is a text input. */
  readonly options?: readonly { readonly value: string; readonly text: string }[];
}

/** A labelled input with its hint, and the server's message about its value. */
export function Field({
  label,
  value,
  onInput,
  type = "text",
  hint,
  path,
  error,
  options,
  ...input
}: FieldProps): VNode {
  const id = useId();
  const problem = path === undefined ? undefined : problemAt(error, path);
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ") || undefined;
  const common = {
    id,
    class: "input",
    value,
    "aria-invalid": problem === undefined ? undefined : ("true" as const),
    "aria-describedby": described,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...common} onChange={(event) => onInput(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      ) : type === "textarea" ? (
        <textarea {...common} {...input} rows={6} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input
          {...common}
          {...input}
          type={type as "text"}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span class="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </div>
  );
}

/** The server's message about the value at a path of the body. */
function problemAt(error: Error | undefined, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.entries.find(({ loc }) => {
    const place = loc.slice(1).join(".");
    return place === path || place.startsWith(`${path}.`);
  });
  return found?.msg;
}
