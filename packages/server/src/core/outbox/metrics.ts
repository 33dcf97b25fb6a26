import type { Outbox } from "./outbox.ts";

type TopicNumbers = Awaited<ReturnType<Outbox["stats"]>>[number];

/** The outbox in the Prometheus text format. Attempts are counted per server, the rest is read from the database. */
export function outboxMetrics(topics: readonly TopicNumbers[], now: Date): string {
  const series = (name: string, type: string, help: string, value: (of: TopicNumbers) => number) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...topics.map((of) => `${name}{topic="${of.topic}"} ${value(of)}`),
  ];
  const age = ({ oldest }: TopicNumbers) =>
    oldest === null ? 0 : Math.max(0, (now.getTime() - Date.parse(oldest)) / 1000);
  const lines = [
    ...series(
      "lakehelm_outbox_pending",
      "gauge",
      "Entries that are waiting or running.",
      ({ pending }) => pending,
    ),
    ...series("lakehelm_outbox_oldest_seconds", "gauge", "Age of the oldest pending entry.", age),
    ...series("lakehelm_outbox_dead", "gauge", "Dead letters.", ({ dead }) => dead),
    ...series("lakehelm_outbox_attempts_total", "counter", "Attempts.", ({ attempts }) => attempts),
    ...series(
      "lakehelm_outbox_failures_total",
      "counter",
      "Attempts that failed.",
      ({ failures }) => failures,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
