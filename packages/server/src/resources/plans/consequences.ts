import type { ChangeConsequence, ConsumptionFlowInput, PlanKind, PlanStep } from "@lakehelm/contract";
import {
  type ConnectorDefinition,
  connectorConsequences,
  flowConsequences,
  leftTable,
} from "@lakehelm/contract/changes";
import { connectorScope, fullTableName, type TableScope } from "../../runtime/platforms/warehouse.ts";
import type { Definition } from "../planned-definition.ts";

interface ChangedDefinition {
  readonly kind: PlanKind;
  readonly name: string;
  readonly action: PlanStep["action"];
  readonly before: Definition;
  readonly after: Definition;
}

/** What the next run of a resource does because of a step. */
export function consequencesOf(
  { kind, name, action, before, after }: ChangedDefinition,
  scope: TableScope,
  known: {
    /** The tables that the resource wrote, and no longer writes when the plan is done. */
    readonly left: readonly string[];
    readonly hasRun: (target: string) => boolean | undefined;
  },
): ChangeConsequence[] {
  if (action === "none") return [];
  if (action === "delete")
    return kind === "connector" && before.target_type !== "warehouse"
      ? []
      : known.left.map((table) => leftTable(table, name));
  const isNew = action === "create";
  if (kind === "flow")
    return flowConsequences(
      isNew ? undefined : (before as ConsumptionFlowInput),
      after as ConsumptionFlowInput,
      (table) => fullTableName(table, scope),
    );
  if (kind === "connector")
    return connectorConsequences(
      isNew ? undefined : (before as unknown as ConnectorDefinition),
      after as unknown as ConnectorDefinition,
      {
        fullName: (table, definition) => fullTableName(table, connectorScope(definition, scope)),
        hasRun: known.hasRun,
      },
    );
  if (kind === "pipeline" && !isNew) return ofPipeline(name, before, after, known.left);
  return [];
}

/**
 * The datasets of a pipeline are in its code, which a plan does not have: only an update compares them with its tables.
 */
function ofPipeline(
  name: string,
  before: Definition,
  after: Definition,
  left: readonly string[],
): ChangeConsequence[] {
  const isMoved = ["catalog", "schema", "target"].some((field) => before[field] !== after[field]);
  if (isMoved)
    return [
      {
        table: null,
        kind: "breaking",
        effect: "create",
        sentence:
          "Its next update creates its tables in the new catalog and schema, and reads streams from their first row.",
        command: null,
      },
      ...left.map((table) => leftTable(table, name)),
    ];
  const sentence =
    "Its tables stay until its next update: that computes materialized views again, and streaming tables go on where they are.";
  return [
    { table: null, kind: "additive", effect: "apply", sentence, command: null },
    ...left.map((table) => leftTable(table, name)),
  ];
}
