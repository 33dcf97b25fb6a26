import type { VNode } from "preact";

type Tone = "good" | "bad" | "warn" | "busy" | "idle" | "held";

/** The colours of the states of all resources. Other states are shown without a colour. */
const tones: Readonly<Record<string, Tone>> = {
  succeeded: "good",
  success: "good",
  completed: "good",
  active: "good",
  healthy: "good",
  ready: "good",
  current: "good",
  fresh: "good",
  ok: "good",
  failed: "bad",
  failing: "bad",
  error: "bad",
  unhealthy: "bad",
  degraded: "warn",
  late: "warn",
  warning: "warn",
  skipped: "warn",
  cancelled: "idle",
  applied: "good",
  approved: "good",
  done: "good",
  refused: "bad",
  denied: "bad",
  needs_approval: "warn",
  "needs approval": "warn",
  stale: "warn",
  applying: "busy",
  planned: "idle",
  running: "busy",
  starting: "busy",
  stopping: "busy",
  started: "busy",
  pending: "idle",
  queued: "idle",
  created: "idle",
  stopped: "idle",
  inactive: "idle",
  paused: "held",
  protected: "held",
};

export const toneOf = (status: string): Tone => tones[status.toLowerCase()] ?? "idle";

/** A state as a word with its colour. */
export function Status({ value, title }: { value: string; title?: string | undefined }): VNode {
  return (
    <span class={`status ${toneOf(value)}`} title={title}>
      {value.replaceAll("_", " ")}
    </span>
  );
}
