import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { droppedByFlow, flowShape } from "@lakehelm/contract/changes";
import type { ExpectedTable } from "@lakehelm/engine";
import { readTableName } from "@lakehelm/sql/names";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { describeTable } from "../../runtime/platforms/table-metadata.ts";
import { warehouseScope } from "../../runtime/platforms/warehouse.ts";

export type Columns = NonNullable<ExpectedTable["columns"]>;

/**
 * The columns of a flow's table after its next run; undefined if the table's name is invalid. `before`: the flow until
 * now.
 */
export async function columnsOfFlow(
  after: ConsumptionFlowInput,
  before: ConsumptionFlowInput | undefined,
  env: EnvironmentContext,
): Promise<Columns | undefined> {
  const name = readTableName(after.target_name, warehouseScope(env), "");
  if ("problem" in name) return undefined;
  const known = await describeTable(env.platform, env.environment.id, name);
  const existing = Object.entries(known?.columns ?? {}).map(([column, { type = "" }]) => ({
    name: column,
    type,
  }));
  return shapeOfFlow(before, after, existing);
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function shapeOfFlow(
  before: ConsumptionFlowInput | undefined,
  after: ConsumptionFlowInput,
  existing: Columns,
): Columns {
  const { columns, added, sequence } = flowShape(after);
  const history = sequence === null ? "TIMESTAMP" : (columns[sequence] ?? "TIMESTAMP");
  const typeOf = (name: string) =>
    name === "is_current" ? "BOOLEAN" : name === "valid_from" || name === "valid_to" ? history : "STRING";
  const written = [
    ...Object.entries(columns).map(([name, type]) => ({ name, type })),
    ...added.map((name) => ({ name, type: typeOf(name) })),
  ];
  const dropped = before ? droppedByFlow(before, after) : [];
  const kept = existing.filter(
    ({ name }) =>
      !dropped.some((one) => sameName(one, name)) && !written.some((one) => sameName(one.name, name)),
  );
  return [...written, ...kept];
}
