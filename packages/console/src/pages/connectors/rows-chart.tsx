import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { counted } from "../../format/number.ts";
import { localTime } from "../../format/time.ts";
import { toneOf } from "../../ui/status.tsx";

const most = 60;

const rowsOf = ({ metrics }: Run): number => {
  const moved = ["rows_inserted", "rows_updated", "rows_deleted"].map((name) => Number(metrics[name] ?? 0));
  return moved.reduce((sum, value) => sum + value, 0);
};

/** A bar for each of the last runs: its height is the number of changed rows, its color the state of the run. */
export function RowsChart({ runs }: { runs: readonly Run[] }): VNode | null {
  const shown = runs.slice(0, most).reverse();
  if (shown.length < 2) return null;
  const highest = Math.max(1, ...shown.map(rowsOf));
  return (
    <figure class="rows-chart">
      <figcaption class="faint">Rows changed by the last {shown.length} runs</figcaption>
      <ol>
        {shown.map((run) => {
          const rows = rowsOf(run);
          const text = `${run.status}, ${localTime(run.queued_at)}: ${counted(rows, "row")} changed`;
          return (
            <li key={run.id}>
              <a href={hrefOf(`/runs/${run.id}`)} title={text} tabIndex={-1}>
                <span
                  class={`bar ${toneOf(run.status)}`}
                  style={{ height: `max(3px, ${(rows / highest) * 100}%)` }}
                />
                <span class="visually-hidden">{text}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
