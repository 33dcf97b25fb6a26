import type { VNode } from "preact";

/** A text with code between backticks, as in the descriptions of settings. */
export function CodeText({ text }: { readonly text: string }): VNode {
  const parts = text.split("`");
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code class="plain">{part}</code> : part))}</>;
}
