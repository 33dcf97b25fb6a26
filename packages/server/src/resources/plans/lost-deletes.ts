import { flowDeletesRule, lostDeletes, type PlanFinding } from "@lakehelm/contract";
import { fullTableName } from "../../runtime/platforms/warehouse.ts";
import type { TableScope } from "./lineage.ts";
import type { BuiltPlan } from "./planner.ts";

const maxFindings = 50;

/**
 * Warnings about exports that wait for deletes which their flow never makes, if the plan changes the export or the
 * flow. The other of the two may already be in the environment, and not in the plan.
 */
export function lostDeleteFindings(
  { steps, others }: Pick<BuiltPlan, "steps" | "others">,
  scope: TableScope,
): PlanFinding[] {
  const planned = steps.flatMap(({ step: { kind, name }, desired }) =>
    desired ? [{ kind, name, definition: desired.masked }] : [],
  );
  const declared = [...planned, ...others];
  const stepOf = (kind: string, name: string) =>
    steps.find(({ step }) => step.kind === kind && step.name === name)?.step;
  return lostDeletes(declared, (table) => fullTableName(table, scope))
    .flatMap(({ connector, flow, message }) => {
      const [reader, writer] = [stepOf("connector", connector), stepOf("flow", flow)];
      const about = [reader, writer].find((step) => step && step.action !== "none");
      if (!about) return [];
      const { kind, name, position } = about;
      return [{ policy: flowDeletesRule, level: "warn" as const, position, kind, name, message }];
    })
    .slice(0, maxFindings);
}
