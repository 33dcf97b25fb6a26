import type { VNode } from "preact";

/** Tags as small labels. */
export function Tags({ tags }: { tags: Readonly<Record<string, string>> }): VNode | null {
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return (
    <span class="tags">
      {entries.map(([name, value]) => (
        <span key={name} class="tag">
          {value === "" ? name : `${name}: ${value}`}
        </span>
      ))}
    </span>
  );
}
