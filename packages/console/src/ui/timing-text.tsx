import type { VNode } from "preact";
import type { Timing } from "../format/schedule.ts";

/** What starts its runs, in words; on hover as it was written. */
export const TimingText = ({ timing: { text, title } }: { timing: Timing }): VNode => (
  <span title={title}>{text}</span>
);
