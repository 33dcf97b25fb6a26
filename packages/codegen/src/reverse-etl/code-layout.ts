import type { WriteStrategy } from "@lakehelm/contract/connections";
import type { SyncedTable } from "./synced-table.ts";

/** Indents lines of Python. */
export const indented = (code: string, by = 4): string =>
  code
    .split("\n")
    .map((line) => (line === "" ? line : " ".repeat(by) + line))
    .join("\n");

/** Joins code line by line; empty pieces leave no gap. */
export const lines = (...pieces: readonly string[]): string =>
  pieces
    .map((piece) => piece.replace(/^\n+/, "").trimEnd())
    .filter((piece) => piece !== "")
    .join("\n");

/** Joins definitions with two empty lines between them, as Python formatters do. */
export const spaced = (...pieces: readonly string[]): string =>
  pieces
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")
    .join("\n\n\n");

/** The features that the tables of a connector use. Code for other features is omitted. */
export interface CodeFeatures {
  readonly strategies: readonly WriteStrategy[];
  readonly watermark: "all" | "some" | "none";
  /** Whether any table leaves out personal data. */
  readonly leavesOut: boolean;
}

export function featuresOf(tables: readonly SyncedTable[]): CodeFeatures {
  const withWatermark = tables.filter(({ watermark }) => watermark !== null).length;
  return {
    strategies: (["upsert", "append", "replace"] as const).filter((strategy) =>
      tables.some((table) => table.strategy === strategy),
    ),
    watermark: withWatermark === 0 ? "none" : withWatermark === tables.length ? "all" : "some",
    leavesOut: tables.some(({ suppressed }) => suppressed),
  };
}

/**
 * The code for each strategy in use: unconditional if all tables have the same one, otherwise under `if` and `elif`.
 */
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

/** Code for tables with a watermark: under `if` if some tables have none. */
export function ifWatermark(features: CodeFeatures, code: string): string {
  if (features.watermark === "none") return "";
  return features.watermark === "all" ? lines(code) : `if table["watermark"]:\n${indented(lines(code))}`;
}
