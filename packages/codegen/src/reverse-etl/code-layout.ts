import type { WriteStrategy } from "@lakehelm/contract/connections";
import type { SyncedTable } from "./synced-table.ts";

/** Indents lines of Python. */
export const indented = (code: string, by = 4): string =>
  code
    .split("\n")
    .map((line) => (line === "" ? line : " ".repeat(by) + line))
    .join("\n");

/** Lines below each other; parts that are empty leave no gap. */
export const lines = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/^\n+/, "").trimEnd())
    .filter((part) => part !== "")
    .join("\n");

/** Functions and the like below each other, with the two lines between them that Python's formatters want. */
export const spaced = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n\n");

/** The features that the tables of a connector use. Code for other features is omitted. */
export interface CodeFeatures {
  readonly strategies: readonly WriteStrategy[];
  readonly watermark: "all" | "some" | "none";
  readonly leavesOut: boolean;
}

export function featuresOf(tables: readonly SyncedTable[]): CodeFeatures {
  const marked = tables.filter(({ watermark }) => watermark !== null).length;
  return {
    strategies: (["upsert", "append", "replace"] as const).filter((strategy) =>
      tables.some((table) => table.strategy === strategy),
    ),
    watermark: marked === 0 ? "none" : marked === tables.length ? "all" : "some",
    leavesOut: tables.some(({ leftOut }) => leftOut.length > 0),
  };
}

/** The code for each strategy in use: as it is where all tables share one, else under `if` and `elif`. */
export function byStrategy(
  features: CodeFeatures,
  codes: Readonly<Partial<Record<WriteStrategy, string>>>,
): string {
  const used = features.strategies.flatMap((strategy) => {
    const code = codes[strategy];
    return code === undefined ? [] : [{ strategy, code: lines(code) }];
  });
  const [only] = used;
  if (only && features.strategies.length === 1) return only.code;
  const test = (at: number) => (at === 0 ? "if" : "elif");
  return used
    .map(({ strategy, code }, at) => `${test(at)} table["strategy"] == "${strategy}":\n${indented(code)}`)
    .join("\n");
}

/** Code for tables with a watermark: under `if` where some have none. */
export function ifWatermark(features: CodeFeatures, code: string): string {
  if (features.watermark === "none") return "";
  return features.watermark === "all" ? lines(code) : `if table["watermark"]:\n${indented(lines(code))}`;
}
