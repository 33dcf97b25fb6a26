import { cannotRunRules, flowSqlRule, type Plan, type PlanFinding } from "@lakehelm/contract";
import { flowProblem } from "../project/checks/flow-problem.ts";
import type { Project } from "../project/project.ts";

/** Adds the locations in the project's files to the plan's findings about flows. */
export function withPlaces(plan: Plan, { resources }: Pick<Project, "resources">): Plan {
  const located = (finding: PlanFinding): PlanFinding => {
    if (finding.policy !== flowSqlRule) return finding;
    const resource = resources.find(({ kind, name }) => kind.kind === "flow" && name === finding.name);
    if (!resource) return finding;
    const { place, message } = flowProblem(resource, finding.message);
    const { line, column } = place.source.locate(place.at);
    return { ...finding, message: `${place.source.file}:${line}:${column}: ${message}` };
  };
  return { ...plan, findings: plan.findings.map(located) };
}

/** Whether a policy denies the plan. If not, it is refused because a resource cannot run. */
export const isDeniedByPolicy = ({ findings }: Pick<Plan, "findings">): boolean =>
  findings.some(({ level, policy }) => level === "deny" && !cannotRunRules.includes(policy));
