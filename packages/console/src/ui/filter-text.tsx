import type { VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { place, setQuery } from "../app/router.ts";

/** The length of a pause in typing after which the filter is applied. */
const typingMs = 250;

interface FilterTextProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "search";
  readonly suggestions?: readonly string[];
}

/** A filter of a list by text. The text is a parameter of the address. */
export function FilterText({ name, label, type = "text", suggestions }: FilterTextProps): VNode {
  const id = useId();
  const current = place.value.query.get(name) ?? "";
  // The text during typing: the page may be rendered again before the pause.
  const [draft, setDraft] = useState<string | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <>
      <input
        type={type}
        class={type === "search" ? "input search" : "input"}
        placeholder={label}
        aria-label={label}
        list={suggestions && id}
        value={draft ?? current}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setDraft(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            setQuery({ [name]: value.trim() });
            setDraft(undefined);
          }, typingMs);
        }}
      />
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}
