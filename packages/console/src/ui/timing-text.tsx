import type { VNode } from "preact";
import type { Timing } from "../format/schedule.ts";

/** What starts the runs, in words; on hover, the original expression. */
export const TimingText = ({ timing: { text, title } }: { timing: Timing }): VNode => (
  <span title={title}>{text}</span>
);
