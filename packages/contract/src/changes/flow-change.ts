import type { ConsumptionFlowInput } from "../endpoints/codegen.ts";
import { flowRefreshCommand } from "./commands.ts";
import { type ChangeKind, type Consequence, isSame, listed, sameName, without } from "./consequence.ts";
import { decideFlowRun, type FlowRunDecision, type FlowTargetFacts } from "./flow-run-decision.ts";
import { equalsSelect, type FlowShape, flowShape, namesOf } from "./flow-shape.ts";

/** What a change of each field concerns. The type requires an entry for every field. */
const fields: Readonly<
  Record<keyof ConsumptionFlowInput, "shape" | "query" | "unmatched" | "setting" | "metadata">
> = {
  flow_name: "metadata",
  type: "metadata",
  source_tables: "metadata",
  target_name: "shape",
  trigger_type: "metadata",
  schedule: "metadata",
  matched_sql: "query",
  unmatched_sql: "unmatched",
  recheck_sql: "unmatched",
  sequence_by: "setting",
  business_date_column: "setting",
  scd_type: "shape",
  emit_surrogate_key: "shape",
  write_strategy: "setting",
  max_delete_share: "setting",
  close_missing_keys: "setting",
  check_severity: "setting",
  target_schema: "shape",
  cluster_by: "metadata",
  table_properties: "metadata",
  warehouse: "metadata",
  requested_by: "metadata",
};

type FlowField = keyof ConsumptionFlowInput;

/** What the next run does because of a change of its flow. The apply itself moves no rows. */
export function flowConsequences(
  before: ConsumptionFlowInput | undefined,
  after: ConsumptionFlowInput,
  /** Full names of tables. */
  fullName: (table: string) => string,
  facts: FlowTargetFacts = {},
  /** What the table records about the version that wrote it; undefined: unknown; null: the table records nothing. */
  recorded?: FlowShape | null,
): Consequence[] {
  const table = fullName(after.target_name);
  const from = before && fullName(before.target_name);
  const isMoved = from !== undefined && from !== table;
  const left = isMoved ? [leftTable(from, after.flow_name)] : [];
  const shape = flowShape(after);
  const known =
    recorded === undefined ? (before && !isMoved ? flowShape(before) : undefined) : (recorded ?? undefined);
  const decision = decideFlowRun(
    known,
    shape,
    !before && facts.columns === undefined ? { columns: null } : facts,
  );
  const isUnknown = isMoved && facts.columns === undefined;
  const made = isUnknown
    ? [consequence(table, "additive", "create", `Its next run writes ${table}.`)]
    : decided(table, after.flow_name, shape, decision);
  if (!before || isMoved || decision.action !== "keep") return [...made, ...left];
  const changed = changedFields(before, after);
  const more = keptTable(table, after, shape, changed, known);
  if (made.length + more.length > 0) return [...made, ...more];
  return changed.length === 0
    ? []
    : [consequence(table, "metadata", "none", `The rows and columns of ${table} stay as they are.`)];
}

const consequence = (
  table: string,
  kind: ChangeKind,
  effect: Consequence["effect"],
  sentence: string,
  command: string | null = null,
): Consequence => ({ table, kind, effect, sentence, command });

/** A table that its writer no longer writes, because the writer is deleted or writes another table. */
export const leftTable = (table: string, writer: string): Consequence =>
  consequence(table, "breaking", "leave", `${table} stays as it is: ${writer} no longer writes it.`);

function decided(table: string, flow: string, shape: FlowShape, decision: FlowRunDecision): Consequence[] {
  const { action, drop, add } = decision;
  if (action === "create")
    return [consequence(table, "additive", "create", `Its next run creates ${table}.`)];
  if (action === "rebuild") {
    const sentence = `Its next run builds ${table} again from its SELECT, in one commit: ${decision.reasons.join("; ")}.`;
    return [consequence(table, "breaking", "rebuild", sentence)];
  }
  if (action === "refuse") {
    const { sentence, command } = refusal(table, flow, decision);
    return [consequence(table, "breaking", "refuse", `Its next run fails: ${sentence}`, command)];
  }
  const others = { merge: "Rows", history: "Versions", replace: "", merge_and_delete: "" }[shape.strategy];
  return [
    ...(drop.length > 0
      ? [
          consequence(
            table,
            "breaking",
            "drop_columns",
            `Its next run drops ${listed(drop)} from ${table}, with all values.`,
          ),
        ]
      : []),
    ...(add.length > 0
      ? [
          consequence(
            table,
            "additive",
            "add_columns",
            `Its next run adds ${listed(add)} to ${table}.${others && ` ${others} that its SELECT does not return have NULL there.`}`,
          ),
        ]
      : []),
  ];
}

/** Why a run cannot write its table, and the command that can. */
export function refusal(
  table: string,
  flow: string,
  { reasons, losesHistory, losesRows }: Pick<FlowRunDecision, "reasons" | "losesHistory" | "losesRows">,
  { isPartial = false } = {},
): { readonly sentence: string; readonly command: string } {
  const command = flowRefreshCommand(flow, losesHistory);
  const why = reasons.length > 0 ? `${table} does not fit the flow: ${reasons.join("; ")}. ` : "";
  const lost = losesHistory
    ? "To build it again from its SELECT discards the history that it has, which takes your consent"
    : losesRows
      ? "To build it again from its SELECT, without the rows that the SELECT no longer returns"
      : isPartial
        ? "A run for one business date cannot build it again. To build it again for all dates"
        : "To build it again from its SELECT";
  return { sentence: `${why}Nothing was written. ${lost}: ${command}`, command };
}

/** The other consequences of a change, if the table is not rebuilt. */
function keptTable(
  table: string,
  after: ConsumptionFlowInput,
  shape: FlowShape,
  changed: readonly FlowField[],
  former: FlowShape | undefined,
): Consequence[] {
  const isAbout = (about: (typeof fields)[FlowField]) => changed.filter((field) => fields[field] === about);
  const settings = [...changed.filter((field) => field === "scd_type"), ...isAbout("setting")];
  const isOtherStrategy = former !== undefined && former.strategy !== shape.strategy;
  const losesRows = isOtherStrategy && !equalsSelect(former) && equalsSelect(shape);
  return [
    ...(isAbout("query").length > 0 ? [ofQuery(table, after, shape)] : []),
    ...(isAbout("unmatched").length > 0
      ? [
          consequence(
            table,
            "additive",
            "apply",
            `Its next run uses the new ${listed(isAbout("unmatched"))}. Rows that ${table}_unmatched has stay there until they match.`,
          ),
        ]
      : []),
    ...(settings.length > 0 || isOtherStrategy
      ? [
          consequence(
            table,
            losesRows ? "breaking" : "additive",
            "apply",
            `Its next run applies ${settings.length > 0 ? listed(settings) : `the strategy ${shape.strategy}`}: ${ruleOf(shape)}`,
          ),
        ]
      : []),
  ];
}

const ruleOf = ({ strategy }: FlowShape): string =>
  ({
    merge: "rows of its SELECT replace those with the same key, and others stay.",
    merge_and_delete: "keys that its SELECT does not return are deleted.",
    replace: "the table becomes the rows of its SELECT, and others are deleted.",
    history: "what differs becomes a version, and earlier versions stay.",
  })[strategy];

function ofQuery(table: string, { flow_name }: ConsumptionFlowInput, shape: FlowShape): Consequence {
  if (equalsSelect(shape))
    return consequence(
      table,
      "additive",
      "update",
      `Its next run makes ${table} what the new SELECT returns.`,
    );
  const isHistory = shape.strategy === "history";
  const command = flowRefreshCommand(flow_name, isHistory);
  const sentence = isHistory
    ? `Its next run adds what the new SELECT returns to the history in ${table}. Earlier versions stay as they are. To discard them and begin again: ${command}`
    : `Its next run merges the rows of the new SELECT into ${table}. Rows that it does not return stay as they are. To remove them: ${command}`;
  return consequence(table, "additive", "update", sentence, command);
}

function changedFields(before: ConsumptionFlowInput, after: ConsumptionFlowInput): FlowField[] {
  return (Object.keys(fields) as FlowField[]).filter(
    (field) => !isSame(before[field] ?? null, after[field] ?? null),
  );
}

/** Columns of the table that the new version of a flow no longer writes: its next run drops them. */
export const droppedByFlow = (before: ConsumptionFlowInput, after: ConsumptionFlowInput): string[] =>
  without(namesOf(flowShape(before)), namesOf(flowShape(after)));

/** Columns of the table that neither the last version of the flow nor this one writes. */
export const foreignColumns = (
  existing: readonly string[],
  before: FlowShape | undefined,
  after: FlowShape,
): string[] =>
  without(existing, [...(before ? Object.keys(before.columns) : []), ...(before?.added ?? [])]).filter(
    (name) => ![...Object.keys(after.columns), ...after.added].some((one) => sameName(one, name)),
  );
