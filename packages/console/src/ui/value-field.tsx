import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Icon } from "./icons.tsx";
import { isMap, type Shape, textOfValue, valueOfText } from "./value-shape.ts";

interface ValueFieldProps {
  readonly label: string;
  readonly shape: Shape;
  /** Undefined: the value is left out. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A value of any depth as fields: the user can add and remove list items and map keys. */
export function ValueField({ label, shape, value, onChange }: ValueFieldProps): VNode {
  if (shape.kind === "map") return <MapField label={label} shape={shape} value={value} onChange={onChange} />;
  if (shape.kind === "list")
    return <ListField label={label} shape={shape} value={value} onChange={onChange} />;
  const isYesNo = shape.kind === "boolean";
  return (
    <Field
      label={label}
      value={textOfValue(value)}
      onInput={(text) => onChange(valueOfText(shape, text))}
      {...(shape.kind === "lines" && { type: "textarea" as const, hint: "One in each line." })}
      {...(shape.kind === "number" && { type: "number" as const })}
      {...(isYesNo && {
        options: [
          { value: "", text: "not set" },
          { value: "false", text: "no" },
          { value: "true", text: "yes" },
        ],
      })}
    />
  );
}

type Of<Kind extends Shape["kind"]> = ValueFieldProps & { readonly shape: Extract<Shape, { kind: Kind }> };

/** `target_schema` becomes `Target schema`. */
export const labelOf = (name: string): string => {
  const text = name.replaceAll("_", " ").replace(/\bsql\b/, "SQL");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function MapField({ label, shape, value, onChange }: Of<"map">): VNode {
  const [name, setName] = useState("");
  const present = isMap(value) ? value : {};
  const names = [...new Set([...Object.keys(shape.fields), ...Object.keys(present)])];
  const set = (key: string, next: unknown) => {
    const { [key]: _, ...rest } = present;
    onChange(next === undefined ? rest : { ...present, [key]: next });
  };
  const add = () => {
    if (name.trim() === "" || names.includes(name.trim())) return;
    set(name.trim(), "");
    setName("");
  };
  return (
    <fieldset class="value-group">
      <legend>{label}</legend>
      {names.map((key) => (
        <ValueField
          key={key}
          label={shape.isOpen ? key : labelOf(key)}
          shape={shape.fields[key] ?? shapeOfFree}
          value={present[key]}
          onChange={(next) => set(key, next)}
        />
      ))}
      {shape.isOpen && (
        <div class="row">
          <input
            class="input grow"
            aria-label={`Name to add to ${label}`}
            placeholder="Another name"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
          <Button onClick={add}>
            <Icon name="plus" />
            Add
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const shapeOfFree: Shape = { kind: "text" };

function ListField({ label, shape, value, onChange }: Of<"list">): VNode {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const one = label.replace(/s$/, "");
  return (
    <fieldset class="value-group">
      <legend>{label}</legend>
      {items.map((item, at) => (
        <div class="value-item" key={`${at} of ${items.length}`}>
          <ValueField
            label={`${one} ${at + 1}`}
            shape={shape.item}
            value={item}
            onChange={(next) => onChange(items.with(at, next ?? ""))}
          />
          <Button
            label={`Remove ${one.toLowerCase()} ${at + 1}`}
            onClick={() => onChange(items.toSpliced(at, 1))}
          >
            <Icon name="minus" />
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...items, shape.item.kind === "map" ? {} : ""])}>
          <Icon name="plus" />
          Add {one.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  );
}
