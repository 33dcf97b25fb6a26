import { functionsIn, type SqlCase, type Verdict } from "./cases.ts";
import { functionLists } from "./function-lists.ts";
import { generatedCalls } from "./generated-cases.ts";
import { type KnownCalls, knownDifferences, knownRefusals } from "./known-verdicts.ts";

export interface JudgedCase extends SqlCase {
  readonly verdict: Verdict;
}

const start = "<!-- printed from packages/engine/spark/cases.sql -->";
const end = "<!-- end of the printed part -->";

/** The page with its tables about SQL printed again. */
export function withSupportTable(page: string, judged: readonly JudgedCase[]): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no "${start}" before "${end}".`);
  return `${page.slice(0, from)}${start}\n\n${supportTable(judged)}\n\n${generatedTable()}\n\n${functionTable()}\n\n${page.slice(to)}`;
}

function supportTable(judged: readonly JudgedCase[]): string {
  const count = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).length;
  const topics = Map.groupBy(judged, ({ topic }) => topic);
  const differences = Map.groupBy(
    judged.filter(({ verdict }) => verdict === "different"),
    ({ difference = "" }) => difference,
  );
  return [
    `Of ${judged.length} expressions and queries, ${count("same")} give the same on both, ${count("refused")} are refused here with a message, and ${count("different")} differ${differences.size === 0 ? "." : ":"}`,
    "",
    ...(differences.size === 0
      ? []
      : [
          ...table([
            ["difference", "example"],
            ...[...differences].map(([difference, [example]]) => [
              cell(difference),
              code(example?.text ?? ""),
            ]),
          ]),
          "",
        ]),
    "Functions that work the same on both:",
    "",
    ...list(topics, (of) => names(of.flatMap(({ text }) => functionsIn(text))), "same"),
    "",
    "Refused here:",
    "",
    ...list(topics, (of) => of.map(({ text }) => code(text)), "refused"),
  ].join("\n");
}

/** What is claimed for the calls that are generated, and what is not. */
function generatedTable(): string {
  const rows = generatedCalls.reduce((sum, { rows: of }) => sum + of.length, 0);
  return [
    `Beyond these, ${generatedCalls.length} calls of functions, operators and casts are generated: each with edge values of each type (NULL, nothing, the largest and the smallest, ends of months, hours that a clock repeats, characters of two units), ${rows.toLocaleString("en-US")} rows in all. Their answers are recorded from Spark 4.3 in ANSI mode, in UTC, which is always the time zone here. Each row is the same, differs or is refused. What differs:`,
    "",
    ...knownTable("difference", knownDifferences),
    "",
    "What is refused, with a message, although Spark has a value:",
    "",
    ...knownTable("refused", knownRefusals),
  ].join("\n");
}

const knownTable = (head: string, known: readonly KnownCalls[]): string[] =>
  table([
    [head, "calls", "rows", "example"],
    ...known.map(({ reason, calls }) => [
      cell(reason),
      String(calls.length),
      String(calls.reduce((sum, { rows }) => sum + rows.size, 0)),
      code(calls[0]?.key.replace(/ : $/, "") ?? ""),
    ]),
  ]);

/** What is claimed of each function of the vocabulary. */
export const functionTable = (): string =>
  [
    "Every function that Databricks has and Lakehelm knows is in one of these lists:",
    "",
    ...Object.entries(functionLists).flatMap(([about, listed]) =>
      listed.length === 0 ? [] : [`- **${about}**: ${names(listed).join(", ")}`],
    ),
  ].join("\n");

const names = (listed: readonly string[]): string[] =>
  [...new Set(listed)].sort().map((name) => `\`${name}\``);

/** Rows of cells in columns of equal width, as the formatter writes them. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, at) => (row[at] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

const list = (
  topics: ReadonlyMap<string, readonly JudgedCase[]>,
  items: (of: readonly JudgedCase[]) => readonly string[],
  verdict: Verdict,
): string[] =>
  [...topics].flatMap(([topic, of]) => {
    const named = items(of.filter((one) => one.verdict === verdict));
    return named.length === 0 ? [] : [`- **${topic}**: ${named.join(", ")}`];
  });

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string =>
  `\`${cell(text.replace(/(?<!^SELECT.*) FROM orders.*$/, "")).replaceAll("`", "'")}\``;
