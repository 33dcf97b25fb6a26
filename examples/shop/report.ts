import { join, relative } from "node:path";
import type { Job } from "@lakehelm/contract";
import type { AppliedProject } from "./apply-project.ts";
import type { CrmCheck } from "./crm-check.ts";
import type { OrderDesk } from "./order-desk.ts";
import { isUnchanged, type RowCounts } from "./row-counts.ts";
import type { DemoServer } from "./server.ts";
import { shopPaths } from "./sources.ts";
import type { ShopStep } from "./steps.ts";

interface ReportInput {
  readonly folder: string;
  readonly applied: AppliedProject;
  readonly steps: readonly ShopStep[];
  readonly check: CrmCheck;
  readonly desk: OrderDesk;
  /** Undefined if the server stops after the report. */
  readonly server: Pick<DemoServer, "url" | "tokenPath" | "consoleLink"> | undefined;
}

/** The text that the demo prints: the result of each step, and what users can try next. */
export function report({ folder, applied, steps, check, desk, server }: ReportInput): string {
  const isIdle = steps.every(({ counts }) => counts.every(isUnchanged));
  return [
    "",
    isIdle
      ? "  Nothing has changed: the sources have no new rows, so no run wrote any."
      : "  From the shop's database and files, through the warehouse, to its CRM:",
    "",
    line("project", applied.summary),
    ...steps.flatMap(stepLines),
    line(
      "check",
      `crm.db matches the sources, row by row: ${check.customers} customers, net revenue ${check.netRevenue}`,
    ),
    line("order-desk", `${desk.question} ${desk.answer}`),
    line("next runs", nextRuns(steps)),
    line("result", shortPath(shopPaths(folder).crm)),
    ...(server
      ? nextSteps(server, folder, desk)
      : [line("server", "stopped; in a terminal it would keep running")]),
    "",
  ].join("\n");
}

function nextSteps(
  { url, tokenPath, consoleLink }: NonNullable<ReportInput["server"]>,
  folder: string,
  { appUrl, ticketsUrl }: OrderDesk,
): string[] {
  const file = join(shortPath(shopPaths(folder).returns), "today.csv");
  return [
    line("app", `${appUrl}  (opens in one browser, within a minute)`),
    ...(consoleLink === undefined ? [] : [line("console", consoleLink)]),
    line("docs", `${url}/docs`),
    line("explore", `A="Authorization: Bearer $(cat ${shortPath(tokenPath)})"`),
    line("", `curl -H "$A" "${url}/api/v1/catalog?catalog=shop"`),
    line("", `curl -H "$A" "${url}/api/v1/runs?limit=4"`),
    line("", `curl -H "$A" -X POST "${ticketsUrl}"  # a new address of the app`),
    line("try", "return order 17; the refund is in crm.db about fifteen seconds later:"),
    line(
      "",
      `printf 'return_id,order_id,returned_on,refund,reason\\nR-2000,17,2026-04-01,1.00,"too loud"\\n' > ${file}`,
    ),
    "",
    "  The server is running. Press Ctrl-C to stop it.",
  ];
}

const line = (label: string, text: string): string => `  ${label.padEnd(14)}  ${text}`;

function stepLines({ name, counts, rejects }: ShopStep): string[] {
  const rejected = rejects.length === 0 ? [] : [`rejected: ${number(rejects.length)}`];
  return [
    line(name, [...counts.map(countsText), ...rejected].join("; ")),
    ...rejects.slice(0, 3).map((reason) => line("", `· ${reason}`)),
  ];
}

function countsText(counts: RowCounts): string {
  const { table, inserted, updated, deleted, unmatched, dropped } = counts;
  const parts = [
    [inserted, "inserted"],
    [updated, "updated"],
    [deleted, "deleted"],
    [unmatched, `unmatched (in ${table}_unmatched)`],
    [dropped, "dropped by an expectation"],
  ] as const;
  const changes = parts.flatMap(([count, word]) => (count > 0 ? [`${number(count)} ${word}`] : []));
  return `${table}: ${isUnchanged(counts) ? "no changes" : changes.join(", ")}`;
}

const number = (count: number): string => count.toLocaleString("en");

function nextRuns(steps: readonly ShopStep[]): string {
  const byTrigger = Map.groupBy(steps, ({ job }) => triggerText(job));
  return [...byTrigger]
    .map(([when, some]) => `${some.map(({ name }) => name).join(", ")} ${when}`)
    .join("; ");
}

function triggerText({ kind, definition: { trigger }, next_at }: Job): string {
  if (kind === "pipeline") return "when refresh-sales runs it";
  switch (trigger.kind) {
    case "cron":
      return `at ${next_at?.slice(11, 16)} UTC`;
    case "file_arrival":
      return "when a file arrives";
    case "table_update":
      return "when tables change";
    default:
      return "when you run it";
  }
}

/** The path relative to the current folder, if the file is in that folder. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
