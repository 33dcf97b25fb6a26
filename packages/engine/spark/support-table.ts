import type { SqlCase } from "./cases.ts";

export type Verdict = "same" | "refused" | "different";

export interface JudgedCase extends SqlCase {
  readonly verdict: Verdict;
}

const start = "<!-- printed from packages/engine/spark/cases.sql -->";
const end = "<!-- end of the printed part -->";

/** The page with its tables about SQL printed again. */
export function withSupportTable(page: string, judged: readonly JudgedCase[]): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no "${start}" before "${end}".`);
  return `${page.slice(0, from)}${start}\n\n${supportTable(judged)}\n\n${page.slice(to)}`;
}

function supportTable(judged: readonly JudgedCase[]): string {
  const count = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).length;
  const topics = Map.groupBy(judged, ({ topic }) => topic);
  const differences = Map.groupBy(
    judged.filter(({ verdict }) => verdict === "different"),
    ({ difference = "" }) => difference,
  );
  return [
    `Of ${judged.length} expressions and queries, ${count("same")} give the same on both, ${count("refused")} are refused here with a message, and ${count("different")} differ:`,
    "",
    "| difference | example |",
    "| --- | --- |",
    ...[...differences].map(
      ([difference, [example]]) => `| ${cell(difference)} | ${code(example?.text ?? "")} |`,
    ),
    "",
    "| topic | functions that work the same | refused |",
    "| --- | --- | --- |",
    ...[...topics].map(([topic, of]) => {
      const works = functionsIn(of.filter(({ verdict }) => verdict === "same"));
      const refused = of.filter(({ verdict }) => verdict === "refused").map(({ text }) => code(text));
      return `| ${cell(topic)} | ${works.map((name) => `\`${name}\``).join(" ")} | ${refused.join(", ")} |`;
    }),
  ].join("\n");
}

const functionsIn = (of: readonly SqlCase[]): string[] =>
  [
    ...new Set(
      of.flatMap(({ text }) => [...text.matchAll(/\b([a-z_][a-z_0-9]*)\(/g)].map(([, name = ""]) => name)),
    ),
  ].sort();

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string =>
  `\`${cell(text.replace(/ FROM orders.*$/, "")).replaceAll("`", "'")}\``;
