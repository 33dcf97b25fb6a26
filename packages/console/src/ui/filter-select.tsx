import type { VNode } from "preact";
import { place, setQuery } from "../app/router.ts";

interface FilterSelectProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
  /** The text for no filter. */
  readonly any: string;
  readonly options: readonly (string | { readonly value: string; readonly text: string })[];
}

/** A filter that limits a list to one of several values. The value is a parameter of the address. */
export function FilterSelect({ name, label, any, options }: FilterSelectProps): VNode {
  return (
    <select
      class="input"
      aria-label={label}
      value={place.value.query.get(name) ?? ""}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <option value="">{any}</option>
      {options.map((option) => {
        const { value, text } =
          typeof option === "string" ? { value: option, text: option.replaceAll("_", " ") } : option;
        return (
          <option key={value} value={value}>
            {text}
          </option>
        );
      })}
    </select>
  );
}

/** The value of the filter, if it is one of these values. */
export const filterValue = <T extends string>(name: string, values: readonly T[]): T | undefined =>
  values.find((one) => one === place.value.query.get(name));
