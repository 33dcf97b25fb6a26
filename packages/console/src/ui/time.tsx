import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { localTime, relativeTime } from "../format/time.ts";

/** One clock for all relative times. */
const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === "visible") now.value = Date.now();
}, 10_000);

/** A time as "5 min ago"; on hover in the viewer's zone and in UTC. */
export function Time({ at, absolute }: { at: string | null | undefined; absolute?: boolean }): VNode {
  if (!at) return <span class="faint">–</span>;
  return (
    <time dateTime={at} title={`${localTime(at)}\n${at} (UTC)`}>
      {absolute ? localTime(at) : relativeTime(at, Math.max(now.value, Date.now()))}
    </time>
  );
}
