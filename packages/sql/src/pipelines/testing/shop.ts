import type { PipelinePlan, PlanRules } from "../plan.ts";

/** A shop with tables that exist before its pipeline runs. */
export const shop: PlanRules = {
  catalog: "shop",
  schema: "sales",
  configuration: { day: "2024-01-01", raw: "shop.raw", "my.key": "7", password: "pa'ss word" },
  tables: new Map([
    ["shop.raw.orders", ["id", "customer_id", "amount", "op", "ts"]],
    ["shop.raw.returns", ["id", "reason"]],
    ["shop.sales.customers", ["id", "name"]],
    ["other.crm.people", ["id", "mail"]],
  ]),
};

const list = (names: readonly string[]): string =>
  names.map((name) => name.replace(/^shop\.sales\./, "")).join(" ");

/** A short form of a plan: the steps in order, with their columns and the tables they read (`~`: as a stream). */
export function explained({ steps, problems }: PipelinePlan): readonly string[] {
  if (problems)
    return problems.map(({ path, line, column, message }) => `${path}:${line}:${column} ${message}`);
  return steps.map(({ dataset, statement }) => {
    if (!dataset)
      return `${statement.meaning.verb} ${list(statement.writes)} <- ${list(statement.reads)}`.trim();
    const reads = dataset.flows.flatMap((one) =>
      one.reads.map((name) => (one.streams.includes(name) ? `~${list([name])}` : list([name]))),
    );
    const columns = dataset.columns.map(({ name, selected }) =>
      name.toLowerCase() === selected.toLowerCase() ? name : `${selected}>${name}`,
    );
    return `${dataset.kind} ${list([dataset.name])} (${columns.join(" ")}) <- ${reads.join(" ")}`.trim();
  });
}
