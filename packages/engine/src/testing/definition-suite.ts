import assert from "node:assert/strict";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig, Dataset, TransferResult } from "../protocol/transfer.ts";
import { ingest } from "../transfer/ingest.ts";
import type { TransferHarness } from "./transfer-harness.ts";

/** A source whose dataset `orders` (id, name, updated_at) is defined anew by statements of its owner. */
export interface DefinableSource {
  readonly connection: ConnectionConfig;
  /**
   * Creates `orders` with the ids 1 to 6, names `n1` …, and the watermarks 10, 20 …; drops what an earlier attempt
   * left.
   */
  reset(): Promise<void>;
  execute(statement: string): Promise<void>;
  /** All rows, as their owner sees them: id, name, updated_at as texts. */
  rows(): Promise<string[][]>;
}

/**
 * What a dataset promises about its target: it is `equal` to the source, or it `contains` at least all rows of the
 * source.
 */
export const definitionModes = {
  watermark: [{ watermark: "updated_at" }, "contains"],
  "watermark and deletes": [{ watermark: "updated_at", deletes: true }, "equal"],
  full: [{ watermark: null }, "contains"],
  "full and deletes": [{ watermark: null, deletes: true }, "equal"],
  replace: [{ watermark: null, strategy: "replace", keys: [] }, "equal"],
  append: [{ watermark: "updated_at", strategy: "append" }, "contains"],
} as const satisfies Record<string, readonly [Partial<Dataset>, "equal" | "contains"]>;

type Mode = keyof typeof definitionModes;

/** What a run said: nothing, that it read all rows, that something may be missing, or that it did not run. */
export type Said = "nothing" | "reread" | "warned" | "refused";

let tries = 0;

/**
 * Loads the rows, changes the definition, and runs again: the target keeps its promise, or the run says that it may
 * not. After the command in an error, the target keeps its promise. Returns what the run after each change said.
 */
export async function changeDefinitions(
  harness: TransferHarness,
  source: DefinableSource,
  mode: Mode,
  changes: readonly (readonly string[])[],
): Promise<Said[]> {
  const [dataset, promise] = definitionModes[mode];
  const target = `t${++tries}`;
  const request = (fromStart = false) =>
    harness.request(
      { ...{ id: target, source: "orders", target, maxDeleteShare: 1 }, ...dataset },
      { connection: source.connection, fromStart },
    );
  const expectPromise = async (about: string) => {
    const found = await targetRows(harness, target);
    const expected = (await source.rows()).map((row) => row.join(" ")).sort();
    const kept = promise === "equal" ? found : found.filter((row) => expected.includes(row));
    assert.deepEqual([...new Set(kept)].sort(), expected, about);
  };
  await source.reset();
  await ingest(request(), harness.context);
  await ingest(request(), harness.context);
  const said: Said[] = [];
  for (const statements of changes) {
    for (const statement of statements) await source.execute(statement);
    const about = `${mode}: ${statements.join("; ")}`;
    const result = await ingest(request(), harness.context).catch((error: unknown) => {
      if (error instanceof DataProblem) return error;
      throw error;
    });
    said.push(whatIsSaid(result));
    if (result instanceof DataProblem) {
      assert.match(result.message, /is not what the last run read|may not read|There is no dataset/, about);
      break;
    }
    if (said.at(-1) !== "warned") await expectPromise(about);
    const again = await ingest(request(), harness.context);
    assert.deepEqual([again.inserted, again.updated, again.deleted], [0, 0, 0], `${about}: again`);
  }
  return said;
}

async function targetRows({ rows }: TransferHarness, target: string): Promise<string[]> {
  const found = await rows(`SELECT id, name, updated_at FROM _main."default".${target}`);
  return found.map((row) => row.join(" ")).sort();
}

function whatIsSaid(result: TransferResult | DataProblem): Said {
  if (result instanceof DataProblem) return "refused";
  const text = result.warnings.join("\n");
  if (text.includes("is not what the last run read")) return "reread";
  return text === "" ? "nothing" : "warned";
}
