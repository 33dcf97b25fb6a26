import { ConsumptionFlowInput } from "@lakehelm/contract";
import { type FlowShape, flowShape } from "@lakehelm/contract/changes";
import type { ValidationError } from "@lakehelm/contract/schema";
import {
  type ConsumptionFlow,
  type KnownColumns,
  loadSqlParser,
  qualityTable,
  readFlow,
  recheckedTable,
  unmatchedTable,
} from "@lakehelm/flows";
import type { FlowPlanRequest } from "../protocol/flow.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { WarehouseScope } from "../protocol/scope.ts";
import { databaseAlias, parseTableName, type TableName } from "../warehouse/names.ts";

/** A flow and the tables that it writes. Inside `flow`, tables have their DuckDB names. */
export interface WarehouseFlow {
  readonly flow: ConsumptionFlow;
  /** The shape that the flow gives its target. */
  readonly shape: FlowShape;
  readonly target: TableName;
  readonly unmatched: TableName;
  readonly rechecked: TableName;
  readonly quality: TableName;
}

/** Reads the request with the rules of code generation. Reports all problems at once. */
export async function readWarehouseFlow(
  { scope, flow: body }: FlowPlanRequest,
  known: KnownColumns,
): Promise<WarehouseFlow> {
  const errors: ValidationError[] = [];
  const request = ConsumptionFlowInput.check(body, [], errors);
  if (errors.length > 0) {
    throw new DataProblem(errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}.`).join(" "));
  }
  const read = readFlow(request, generationContext(scope), await loadSqlParser(), known);
  if (read.problems) throw new DataProblem(read.problems.join(" "));
  const target = warehouseName(read.flow.target, scope);
  return {
    flow: withDatabaseAliases(read.flow, scope),
    shape: flowShape(request),
    target,
    unmatched: unmatchedTable(target),
    rechecked: recheckedTable(target),
    quality: qualityTable(target),
  };
}

/** The defaults for short names. The other fields are only used for bundles. */
const generationContext = ({ environment, catalog, schema }: WarehouseScope) => ({
  environment,
  catalog,
  schema,
  mode: "development" as const,
  host: null,
  secretScope: "",
  git: null,
  runAs: null,
});

function withDatabaseAliases(flow: ConsumptionFlow, scope: WarehouseScope): ConsumptionFlow {
  const withAlias = (name: TableName): TableName => {
    const known = warehouseName(name, scope);
    return { ...known, catalog: databaseAlias(known.catalog) };
  };
  return {
    ...flow,
    target: withAlias(flow.target),
    foreignKeys: flow.foreignKeys.map((key) => ({ ...key, parent: withAlias(key.parent) })),
  };
}

/** Code generation allows names that the warehouse does not. They are refused here. */
function warehouseName({ catalog, schema, table }: TableName, scope: WarehouseScope): TableName {
  const quoted = [catalog, schema, table].map((part) => `\`${part.replaceAll("`", "``")}\``);
  return parseTableName(quoted.join("."), scope);
}
