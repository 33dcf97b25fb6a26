import type { ConsumptionFlowInput } from "../endpoints/codegen.ts";
import { type FlowStrategy, flowStrategyOf } from "../flows/write-strategy.ts";
import { sameName } from "./consequence.ts";

/**
 * How a version of a flow writes its table. It is stored with the table, so that the next version can be compared with
 * it.
 */
export interface FlowShape {
  readonly strategy: FlowStrategy;
  readonly keys: readonly string[];
  /** The column that orders the versions of a key; null: none. */
  readonly sequence: string | null;
  /** The declared columns, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns that the flow adds itself. */
  readonly added: readonly string[];
}

const validity = ["valid_from", "valid_to", "is_current"];

export type FlowDefinition = Pick<
  ConsumptionFlowInput,
  "target_name" | "target_schema" | "write_strategy" | "scd_type" | "sequence_by" | "emit_surrogate_key"
>;

export function flowShape(definition: FlowDefinition): FlowShape {
  const { columns } = definition.target_schema;
  const strategy = flowStrategyOf(definition);
  const table = definition.target_name.replace(/^.*\./, "").replaceAll("`", "");
  return {
    strategy,
    keys: columns.filter(({ pk }) => pk).map(({ name }) => name),
    sequence: definition.sequence_by ?? null,
    columns: Object.fromEntries(columns.map(({ name, type }) => [name, declaredType(type)])),
    added: [
      ...(definition.emit_surrogate_key ? [`${table}_sk`] : []),
      ...(strategy === "history" ? validity : []),
    ],
  };
}

/** Whether every run makes the table equal to what its SELECT returns, so that a rebuild loses no rows. */
export const equalsSelect = ({ strategy }: FlowShape): boolean =>
  strategy === "replace" || strategy === "merge_and_delete";

export const isHistoryTable = (columns: readonly string[]): boolean =>
  validity.every((name) => columns.some((one) => sameName(one, name)));

/** All columns of the table that the flow writes. */
export const namesOf = ({ columns, added }: FlowShape): string[] => [...Object.keys(columns), ...added];

const synonyms: Readonly<Record<string, string>> = {
  integer: "int",
  long: "bigint",
  short: "smallint",
  byte: "tinyint",
  real: "float",
  dec: "decimal",
  numeric: "decimal",
};

/** A normal form in which two spellings of one type are equal. */
export const declaredType = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\s+/g, "")
    .replaceAll(/[a-z]+/g, (word) => (Object.hasOwn(synonyms, word) ? (synonyms[word] ?? word) : word));
