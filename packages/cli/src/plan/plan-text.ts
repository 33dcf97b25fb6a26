import { styleText } from "node:util";
import {
  cannotRunRules,
  type Plan,
  type PlanChange,
  type PlanFinding,
  type PlanStep,
} from "@lakehelm/contract";
import { counted } from "@lakehelm/contract/text";
import { indented, lines, oneLine } from "../output/escape.ts";
import { toJson } from "../output/json.ts";
import type { CodeChange } from "./code-changes.ts";
import { isDeniedByPolicy } from "./flow-findings.ts";

type Style = (color: "green" | "red" | "yellow" | "bold" | "dim", text: string) => string;

const plainStyle: Style = (_color, text) => text;
const colorStyle: Style = (color, text) => styleText(color, text, { validateStream: false });

export const marks = { create: "+", update: "~", replace: "±", delete: "-", none: " " } as const;
const colors = { create: "green", update: "yellow", replace: "yellow", delete: "red", none: "dim" } as const;

/** A plan as text for a terminal. Values come from other users, so their control characters are escaped. */
export function planText(plan: Plan, code: readonly CodeChange[], isColored: boolean): string {
  const style = isColored ? colorStyle : plainStyle;
  const steps = plan.steps.filter(({ action }) => action !== "none");
  return [
    ...steps.flatMap((step) => [...stepLines(step, style), ""]),
    ...(code.length > 0
      ? [style("bold", "Files of the workspace"), ...code.map((one) => codeLine(one, style)), ""]
      : []),
    ...findingLines(plan, style),
    summaryText(plan, code),
    ...(isReasonShown(plan, code) ? [lines(plan.status_reason ?? "")] : []),
    "",
  ].join("\n");
}

/** Whether to show the reason of the plan's status: not if the findings above already say the same, with a location. */
const isReasonShown = (plan: Plan, code: readonly CodeChange[]): boolean =>
  plan.status_reason !== null &&
  !(plan.status === "needs_approval" && !hasChanges(plan, code)) &&
  !(plan.status === "refused" && !isDeniedByPolicy(plan));

const codeLine = ({ action, path }: CodeChange, style: Style) =>
  style(colors[action], `${marks[action]} ${oneLine(path)}`);

function stepLines(
  { action, kind, name, changes, drift, impact, file, reasons, unchecked }: PlanStep,
  style: Style,
): string[] {
  const where = file ? style("dim", `  ${oneLine(file.path)}${file.line ? `:${file.line}` : ""}`) : "";
  const shown = action === "create" ? [] : changes;
  return [
    `${style(colors[action], `${marks[action]} ${kind} ${oneLine(name)}`)}${where}`,
    ...shown.flatMap((change) => changeLines(change, style)),
    ...(drift.length > 0
      ? [
          style(
            "yellow",
            `    changed by somebody else since it was applied: ${drift.map(({ path }) => oneLine(path)).join(", ")}`,
          ),
        ]
      : []),
    ...(isExplained({ action, changes }) ? reasons.slice(0, 3).map(inStep) : []),
    ...impactLines(impact).map(inStep),
    ...(unchecked ? [inStep(`not checked: ${unchecked}`)] : []),
  ];
}

/** An update without changed fields is explained only by its reasons: the platform refused it before. */
export const isExplained = ({ action, changes }: Pick<PlanStep, "action" | "changes">): boolean =>
  action === "delete" || action === "replace" || (action === "update" && changes.length === 0);

/** What a step affects, as sentences. */
export function impactLines(impact: PlanStep["impact"]): string[] {
  if (!impact) return [];
  const { downstream, downstream_total, running_runs, consequences = [], rows, data_lost } = impact;
  const names = downstream.slice(0, 5).map(({ kind, name }) => `${kind} ${name}`);
  const more = downstream_total > names.length ? ` and ${downstream_total - names.length} more` : "";
  const seconds = impact.estimated_seconds === null ? "" : `, ${Math.round(impact.estimated_seconds)} s`;
  const isLoaded = impact.full_refresh.length > 0 && rows !== null;
  return [
    ...(impact.writes ? [`writes by ${impact.writes}`] : []),
    ...(names.length > 0 ? [`affects ${names.join(", ")}${more}`] : []),
    ...(running_runs.length > 0
      ? [running_runs.length === 1 ? "1 run is in progress" : `${running_runs.length} runs are in progress`]
      : []),
    ...consequences.map(({ kind, sentence }) => `${kind}: ${sentence}`),
    ...(isLoaded ? [`its last run moved ${counted(rows, "row")}${seconds}`] : []),
    ...data_lost.map((text) => `lost: ${text}`),
  ];
}

function changeLines({ path, before, after, sensitive }: PlanChange, style: Style): string[] {
  if (sensitive) return [`    ${oneLine(path)}: (secret)`];
  if (isLong(before) || isLong(after)) {
    const [removed, added] = withoutCommon(textLines(before), textLines(after));
    return [
      `    ${oneLine(path)}:`,
      ...removed.map((line) => style("red", `      - ${line}`)),
      ...added.map((line) => style("green", `      + ${line}`)),
    ];
  }
  return [`    ${oneLine(path)}: ${style("red", short(before))} → ${style("green", short(after))}`];
}

const isLong = (value: unknown) => typeof value === "string" && (value.includes("\n") || value.length > 80);
export const short = (value: unknown): string => {
  const text = oneLine(value === null || value === undefined ? "nothing" : toJson(value, 0));
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
};
const textLines = (value: unknown): string[] =>
  (value === null || value === undefined ? [] : String(value).split("\n")).map(oneLine);

/** Removes equal lines at the beginning and the end, and keeps at most 40 lines of each side. */
function withoutCommon(before: readonly string[], after: readonly string[]): [string[], string[]] {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < Math.min(before.length, after.length) - from && before.at(-1 - same) === after.at(-1 - same))
    same += 1;
  return [
    before.slice(from, before.length - same).slice(0, 40),
    after.slice(from, after.length - same).slice(0, 40),
  ];
}

/**
 * The text of a finding. A finding about SQL begins with its location in a file, or with the resource: its rule is
 * built in, so the name of the rule does not help the user.
 */
function findingText({ level, policy, kind, name, message }: PlanFinding): string {
  if (!cannotRunRules.includes(policy)) return `${level} ${policy}: ${message}`;
  const word = level === "deny" ? "error" : "warning";
  const [, place, text] = /^(\S+:\d+:\d+): (.*)$/s.exec(message) ?? [];
  return place === undefined ? `${word}: ${kind} ${name}: ${message}` : `${place}: ${word}: ${text}`;
}

function findingLines({ findings }: Plan, style: Style): string[] {
  if (findings.length === 0) return [];
  const color = { deny: "red", approve: "yellow", warn: "yellow" } as const;
  return [
    ...findings
      .slice(0, 50)
      .map((finding) => style(color[finding.level], indented(findingText(finding), "  "))),
    "",
  ];
}

const inStep = (text: string) => `    ${indented(text, "    ")}`;

/** `2 to create, 1 to update, 40 unchanged.` */
export function summaryText({ summary, environment }: Plan, code: readonly CodeChange[]): string {
  const { create, update, replace, delete: removed, unchanged } = summary;
  const counts = [
    [create, "to create"],
    [update, "to update"],
    [replace, "to replace"],
    [removed, "to delete"],
    [code.length, code.length === 1 ? "file to upload" : "files to upload"],
  ] as const;
  const some = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const what = some.length === 0 ? "Nothing to change" : some.join(", ");
  return `${what} in ${oneLine(environment)}, ${unchanged} unchanged.`;
}

export const hasChanges = ({ summary }: Plan, code: readonly CodeChange[]): boolean =>
  summary.create + summary.update + summary.replace + summary.delete + code.length > 0;
