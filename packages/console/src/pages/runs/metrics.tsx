import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { count } from "../../format/number.ts";

interface MetricsProps {
  readonly run: Run;
  readonly before: Run | undefined;
}

/** Metrics that other parts of the page show. */
const elsewhere = new Set(["tasks", "retries"]);

/** The counters of a run, beside those of the previous run. */
export function Metrics({ run, before }: MetricsProps): VNode | null {
  const names = Object.entries(run.metrics)
    .filter(([name, value]) => !elsewhere.has(name) && isPlain(value))
    .map(([name]) => name);
  if (names.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>Metrics</h2>
      </header>
      <table class="metrics body">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">This run</th>
            <th scope="col">Run before</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name.replaceAll("_", " ")}</th>
              <td class="number">{shown(run.metrics[name])}</td>
              <td class="number faint">{before ? shown(before.metrics[name]) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const isPlain = (value: unknown) => ["number", "string", "boolean", "bigint"].includes(typeof value);

function shown(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return count(value);
  return isPlain(value) ? String(value) : "";
}
