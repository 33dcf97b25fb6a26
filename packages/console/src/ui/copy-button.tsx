import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { notify } from "./toasts.tsx";

/** Copies a text. If the browser does not allow that, it says how to copy by hand. */
export function CopyButton({ text }: { text: string }): VNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      notify("The browser does not allow it. Select the text and copy it with the keyboard.", true);
    }
  };
  return <Button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy"}</Button>;
}
