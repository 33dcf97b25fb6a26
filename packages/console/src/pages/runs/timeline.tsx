import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { duration, localTime } from "../../format/time.ts";
import { toneOf } from "../../ui/status.tsx";
import { type Bar, barsOf } from "./bars.ts";

/** The run, its attempts and its tasks over time. */
export function RunTimeline({ run }: { run: Run }): VNode {
  const bars = barsOf(run, Date.now());
  const from = Math.min(...bars.map((bar) => bar.fromMs));
  const to = Math.max(...bars.map((bar) => bar.toMs), from + 1);
  const place = (bar: Bar) => ({
    left: `${((bar.fromMs - from) / (to - from)) * 100}%`,
    width: `max(3px, ${((bar.toMs - bar.fromMs) / (to - from)) * 100}%)`,
  });
  return (
    <ol class="gantt">
      {bars.map((bar) => (
        <li key={bar.key}>
          <span class="clip" title={bar.title}>
            {bar.title}
          </span>
          <span class="track">
            <span
              class={`bar ${toneOf(bar.status)}`}
              style={place(bar)}
              title={`${bar.status}, ${localTime(new Date(bar.fromMs).toISOString())}${bar.note ? `\n${bar.note}` : ""}`}
            />
          </span>
          <span class="number faint">{duration(bar.toMs - bar.fromMs)}</span>
        </li>
      ))}
    </ol>
  );
}
