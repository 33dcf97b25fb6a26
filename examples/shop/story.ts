import { join, relative } from "node:path";
import type { Job } from "@lakehelm/contract";
import type { Checked } from "./check.ts";
import type { Desk } from "./desk.ts";
import type { Lakehelm } from "./lakehelm.ts";
import { isNothing, type Moved } from "./moved.ts";
import { placesIn } from "./sources.ts";
import type { Step } from "./steps.ts";

interface Told {
  readonly folder: string;
  readonly steps: readonly Step[];
  readonly checked: Checked;
  readonly desk: Desk;
  /** Undefined where the server ends with the story. */
  readonly lakehelm: Serving | undefined;
}

type Serving = Pick<Lakehelm, "url" | "tokenPath">;

/** What has happened, and where to look. */
export function story({ folder, steps, checked, desk, lakehelm }: Told): string {
  const quiet = steps.every(({ moved }) => moved.every(isNothing));
  return [
    "",
    quiet
      ? "  Nothing has changed: the sources have nothing new, so no run has moved a row."
      : "  From the shop's database and files, through the warehouse, to its CRM:",
    "",
    ...steps.flatMap(stepLines),
    line(
      "check",
      `crm.db has what SQL over the sources says, row by row: ${checked.customers} customers, worth ${checked.value}`,
    ),
    line("order-desk", `${desk.question} ${desk.answer}`),
    line("next", nextRuns(steps)),
    line("written", near(placesIn(folder).crm)),
    ...(lakehelm
      ? placesToLook(lakehelm, folder, desk)
      : [line("server", "stopped; in a terminal it goes on serving")]),
    "",
  ].join("\n");
}

function placesToLook({ url, tokenPath }: Serving, folder: string, { page, tickets }: Desk): string[] {
  const file = join(near(placesIn(folder).returns), "today.csv");
  return [
    line("app", `${page}  (for one browser, within a minute)`),
    line("docs", `${url}/docs`),
    line("look", `A="Authorization: Bearer $(cat ${near(tokenPath)})"`),
    line("", `curl -H "$A" "${url}/api/v1/catalog?catalog=shop"`),
    line("", `curl -H "$A" "${url}/api/v1/runs?limit=4"`),
    line("", `curl -H "$A" -X POST "${tickets}"  # another address of the app`),
    line("try", `a return of order 17; in fifteen seconds it is in crm.db:`),
    line(
      "",
      `printf 'return_id,order_id,returned_on,refund,reason\\nR-2000,17,2026-04-01,1.00,"too loud"\\n' > ${file}`,
    ),
    "",
    "  It goes on serving and watching; Ctrl-C stops it.",
  ];
}

const line = (word: string, text: string): string => `  ${word.padEnd(14)}  ${text}`;

function stepLines({ name, moved, rejects }: Step): string[] {
  const kept = rejects.length === 0 ? [] : [`rejected: ${number(rejects.length)}`];
  return [
    line(name, [...moved.map(wordsOf), ...kept].join("; ")),
    ...rejects.slice(0, 3).map((reason) => line("", `· ${reason}`)),
  ];
}

function wordsOf(moved: Moved): string {
  const { table, inserted, updated, deleted, unmatched, dropped } = moved;
  const parts = [
    [inserted, "new"],
    [updated, "changed"],
    [deleted, "gone"],
    [unmatched, "without a match, kept aside"],
    [dropped, "dropped by an expectation"],
  ] as const;
  const told = parts.flatMap(([count, word]) => (count > 0 ? [`${number(count)} ${word}`] : []));
  return `${table}: ${isNothing(moved) ? "nothing new" : told.join(", ")}`;
}

const number = (count: number): string => count.toLocaleString("en");

function nextRuns(steps: readonly Step[]): string {
  const alike = Map.groupBy(steps, ({ job }) => whenOf(job));
  return [...alike].map(([when, some]) => `${some.map(({ name }) => name).join(", ")} ${when}`).join("; ");
}

function whenOf({ kind, definition: { trigger }, next_at }: Job): string {
  if (kind === "pipeline") return "when refresh-sales runs it";
  switch (trigger.kind) {
    case "cron":
      return `at ${next_at?.slice(11, 16)} UTC`;
    case "file_arrival":
      return "when a file comes";
    case "table_update":
      return "when tables change";
    default:
      return "when somebody runs it";
  }
}

/** As one would type it here. */
function near(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
