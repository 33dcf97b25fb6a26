import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { place, setQuery } from "../app/router.ts";

/** Waits for a pause in typing. */
const typingMs = 250;

/** The parameter `search` of the address. */
export function SearchField({ label }: { label: string }): VNode {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type="search"
      class="input search"
      placeholder={label}
      aria-label={label}
      value={place.value.query.get("search") ?? ""}
      onInput={(event) => {
        const { value } = event.currentTarget;
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setQuery({ search: value.trim() }), typingMs);
      }}
    />
  );
}
