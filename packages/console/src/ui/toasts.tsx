import { signal } from "@preact/signals";
import type { VNode } from "preact";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

const shownMs = 6_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows a short message. An error stays until the user closes it. */
export function notify(text: string, isBad = false): void {
  const toast = { id: ++lastId, text, isBad };
  toasts.value = [...toasts.value.slice(-4), toast];
  if (!isBad) setTimeout(() => dismiss(toast.id), shownMs);
}

const dismiss = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

export function Toasts(): VNode {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isBad }) => (
        <div key={id} class={isBad ? "toast bad" : "toast"}>
          <span class="grow">{text}</span>
          <button type="button" class="button quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
