import { metric } from "../metrics/prometheus.ts";
import type { Outbox } from "./outbox.ts";

type TopicNumbers = Awaited<ReturnType<Outbox["stats"]>>[number];

/** The outbox in the Prometheus text format. Attempts are counted per server, the rest is read from the database. */
export function outboxMetrics(topics: readonly TopicNumbers[], now: Date): string {
  const series = (
    name: string,
    type: "counter" | "gauge",
    help: string,
    value: (of: TopicNumbers) => number,
  ) =>
    metric(
      `lakehelm_outbox_${name}`,
      type,
      help,
      topics.map((of) => [{ topic: of.topic }, value(of)]),
    );
  const age = ({ oldest }: TopicNumbers) =>
    oldest === null ? 0 : Math.max(0, (now.getTime() - Date.parse(oldest)) / 1000);
  return (
    series("pending", "gauge", "Entries that are waiting or running.", ({ pending }) => pending) +
    series("oldest_seconds", "gauge", "Age of the oldest pending entry.", age) +
    series("dead", "gauge", "Dead letters.", ({ dead }) => dead) +
    series("attempts_total", "counter", "Attempts.", ({ attempts }) => attempts) +
    series("failures_total", "counter", "Attempts that failed.", ({ failures }) => failures)
  );
}
