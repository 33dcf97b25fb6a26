import type { VNode } from "preact";

/** A text whose parts between backticks are code, as the descriptions of settings have them. */
export function CodeText({ text }: { readonly text: string }): VNode {
  const parts = text.split("`");
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code class="plain">{part}</code> : part))}</>;
}
