import type { Plan, PlanStep } from "@lakehelm/contract";
import { oneLine } from "../output/escape.ts";
import type { CodeChange } from "./code-changes.ts";
import { isDeniedByPolicy } from "./flow-findings.ts";
import { impactLines, isExplained, marks, short, summaryText } from "./plan-text.ts";

/** A plan as a comment of a pull request. Names and values come from other users, so their markup is escaped. */
export function planMarkdown(plan: Plan, code: readonly CodeChange[]): string {
  const steps = plan.steps.filter(({ action }) => action !== "none");
  const shown = steps.slice(0, 100);
  return [
    // CI finds its earlier comment by this line.
    `<!-- lakehelm plan ${inText(plan.project.name)} ${inText(plan.environment)} -->`,
    `### Plan for \`${inCode(plan.environment)}\`: ${inText(summaryText(plan, code))}`,
    "",
    ...(plan.status === "refused"
      ? [`> **Refused${isDeniedByPolicy(plan) ? " by a policy" : ": something cannot run"}.**`, ""]
      : []),
    ...(plan.status === "needs_approval" ? ["> **Needs the approval of another admin.**", ""] : []),
    ...plan.findings
      .slice(0, 50)
      .map(({ level, policy, message }) => `- **${level}** \`${inCode(policy)}\`: ${inText(message)}`),
    ...(plan.findings.length > 0 ? [""] : []),
    ...(shown.length > 0 ? ["| | resource | affects |", "| --- | --- | --- |", ...shown.map(row), ""] : []),
    ...(steps.length > shown.length ? [`And ${steps.length - shown.length} more.`, ""] : []),
    ...shown.flatMap(details),
    ...(code.length > 0
      ? [
          "Files of the workspace:",
          "",
          ...code.slice(0, 100).map(({ action, path }) => `- ${marks[action]} \`${inCode(path)}\``),
          "",
        ]
      : []),
    `Plan \`${plan.id}\`, design \`${plan.design_hash}\``,
    "",
  ].join("\n");
}

function row({ action, kind, name, impact, changes, reasons, unchecked }: PlanStep): string {
  const why = action === "update" && isExplained({ action, changes }) ? reasons.slice(0, 1) : [];
  const effects = [...why, ...impactLines(impact), ...(unchecked ? [`not checked: ${unchecked}`] : [])];
  return `| ${marks[action]} ${action} | ${kind} \`${inCode(name)}\` | ${effects.map(inText).join("; ")} |`;
}

function details({ action, kind, name, changes }: PlanStep): string[] {
  if (action === "create" || action === "delete" || changes.length === 0) return [];
  const diff = changes
    .slice(0, 50)
    .flatMap(({ path, before, after, sensitive }) =>
      sensitive
        ? [`  ${inCode(path)}: (secret)`]
        : [
            `  ${inCode(path)}:`,
            ...valueLines(before).map((line) => `- ${line}`),
            ...valueLines(after).map((line) => `+ ${line}`),
          ],
    );
  return [
    `<details><summary>${kind} ${inText(name)}</summary>`,
    "",
    "```diff",
    ...diff,
    "```",
    "",
    "</details>",
    "",
  ];
}

const valueLines = (value: unknown): string[] => {
  if (value === null || value === undefined) return [];
  const text = typeof value === "string" ? value : short(value);
  return text.split("\n").slice(0, 60).map(inCode);
};

/** A value stays on one line, so that it cannot end the block that it is in. */
const inCode = (text: string) => oneLine(text).replaceAll("`", "'");
const inText = (text: string) =>
  oneLine(text.replaceAll(/\s*\n\s*/g, " ")).replace(/[\\`*_{}[\]<>|#@!~]/g, "\\$&");
