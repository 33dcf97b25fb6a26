import type { PlanOverview } from "@lakehelm/contract";
import type { VNode } from "preact";

/** How many resources a plan creates, updates, replaces and deletes. */
export function PlanSummary({ summary }: Pick<PlanOverview, "summary">): VNode {
  const parts = [
    { count: summary.create, text: "create", tone: "good" },
    { count: summary.update, text: "update", tone: "busy" },
    { count: summary.replace, text: "replace", tone: "warn" },
    { count: summary.delete, text: "delete", tone: "bad" },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return <span class="faint">no change</span>;
  return (
    <span class="plan-summary number">
      {parts.map(({ count, text, tone }) => (
        <span key={text} class={tone}>
          {count} {text}
        </span>
      ))}
    </span>
  );
}
