/** A limit and how much of it is used, for `/metrics`. */
export interface Quota {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  /** How often something was refused because of it, since the start. */
  readonly refused?: number;
}

/** Quotas in the Prometheus text format. A limit of 0 means that there is none. */
export function quotaMetrics(quotas: readonly Quota[]): string {
  const series = (name: string, type: string, help: string, value: (quota: Quota) => number | undefined) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...quotas.flatMap((quota) => {
      const shown = value(quota);
      return shown === undefined ? [] : [`${name}{quota="${quota.name}"} ${shown}`];
    }),
  ];
  const lines = [
    ...series("lakehelm_quota_used", "gauge", "How much of a limit is used.", ({ used }) => used),
    ...series("lakehelm_quota_limit", "gauge", "The limit.", ({ limit }) => limit),
    ...series("lakehelm_quota_refused_total", "counter", "Refusals because of it.", ({ refused }) => refused),
  ];
  return `${lines.join("\n")}\n`;
}
