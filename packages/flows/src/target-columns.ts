import type { ColumnType } from "./column-type.ts";
import { parseColumnType } from "./column-type.ts";
import { type ConsumptionFlow, type FlowColumn, isHistory, keyOf } from "./flow.ts";

/** All columns of the target in order: the surrogate key, the caller's columns, and the columns of a history. */
export const targetColumns = (
  flow: Pick<ConsumptionFlow, "columns" | "publishing" | "sequence" | "surrogateKey">,
): FlowColumn[] => [
  ...(flow.surrogateKey ? [surrogateColumn(flow.surrogateKey, isHistory(flow))] : []),
  ...flow.columns.map((column) => ({ ...column, notNull: column.notNull || column.isKey })),
  ...(isHistory(flow) ? validity(flow.sequence?.type ?? timestamp) : []),
];

/** The columns that identify a row of the table. */
export const identityColumns = (flow: ConsumptionFlow): string[] => [
  ...keyOf(flow).map(({ name }) => name),
  ...(isHistory(flow) ? [validFrom] : []),
];

export const validFrom = "valid_from";
export const validTo = "valid_to";
export const isCurrent = "is_current";

/** The columns that a target with these options adds to the caller's columns. */
export const addedNames = (table: string, history: boolean, surrogateKey: boolean): string[] => [
  ...(surrogateKey ? [surrogateName(table)] : []),
  ...(history ? [validFrom, validTo, isCurrent] : []),
];

export const surrogateName = (table: string): string => `${table}_sk`;

const surrogateColumn = (name: string, history: boolean): FlowColumn => ({
  name,
  type: simple("STRING"),
  description: `Surrogate key: a hash of the key${history ? ` and ${validFrom}` : ""}`,
  notNull: true,
});

const validity = (type: ColumnType): FlowColumn[] => [
  { name: validFrom, type, description: "Start of validity", notNull: true },
  { name: validTo, type, description: "End of validity; null for the current row", notNull: false },
  { name: isCurrent, type: simple("BOOLEAN"), description: "Whether the row is current", notNull: true },
];

function simple(text: string): ColumnType {
  const type = parseColumnType(text);
  if ("problem" in type) throw new Error(type.problem);
  return type;
}

const timestamp = simple("TIMESTAMP");
