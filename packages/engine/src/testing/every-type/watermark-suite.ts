import assert from "node:assert/strict";
import { isNightly } from "@lakehelm/testing/nightly";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { checkConnection } from "../../transfer/connection-check.ts";
import { ingest } from "../../transfer/ingest.ts";
import { rejectsTable } from "../../warehouse/internal-tables.ts";
import { seededRandom, seedOf } from "../seeded-random.ts";
import type { TransferHarness } from "../transfer-harness.ts";

/** A column type of a source, with values as the source takes them, in the source's order. */
export interface OrderedType {
  /** The type as a column declares it: `numeric(12,2)`. */
  readonly declared: string;
  /** Undefined if the source has no order for them. */
  readonly values: readonly string[] | undefined;
}

/** A source with a table `t` for each test: `id`, a number, and `v`, of a type. */
export interface TypedSource {
  readonly connection: ConnectionConfig;
  create(table: string, declared: string): Promise<void>;
  insert(table: string, rows: readonly (readonly [id: number, value: string])[]): Promise<void>;
}

/** This many values are enough to be in another order as texts. */
const mostValues = 40;

const isRefusal = (error: unknown): boolean =>
  error instanceof DataProblem && /cannot be the watermark/.test(error.message);

/**
 * Adds rows in the order of their watermark, in increments, and in any order within an increment. After each increment
 * a run must have loaded all of them, once; or the column is refused, by runs and by `check`. Returns which of both
 * happened.
 */
export async function loadInIncrements(
  harness: TransferHarness,
  source: TypedSource,
  { declared, values }: OrderedType,
  table: string,
): Promise<"loaded" | "refused"> {
  const random = seededRandom(seedOf(declared));
  await source.create(table, declared);
  const all = values ?? [];
  const ordered = all.filter(() => random.below(all.length) < mostValues);
  const cuts = [1 + random.below(Math.max(1, ordered.length >> 1)), ordered.length];
  const dataset = { source: table, watermark: "v", maxRejectShare: 1 };
  const { connection } = source;
  let id = 0;
  const both = ["append", "upsert"] as const;
  const strategies = isNightly ? both : [random.pick(both)];
  for (const [at, to] of cuts.entries()) {
    const from = cuts[at - 1] ?? 0;
    // A row with the last value of the previous increment is also added in this one.
    const added = ordered.slice(Math.max(0, from - 1), to).map((value) => [++id, value] as const);
    await source.insert(table, random.shuffled(added));
    for (const strategy of strategies) {
      const target = `${table}_${strategy}`;
      const request = harness.request(
        { ...dataset, id: target, target, strategy, keys: strategy === "upsert" ? ["id"] : [] },
        { connection },
      );
      try {
        await ingest(request, harness.context);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const findings = await checkConnection({ ...request, datasets: [request.dataset] }, harness.context);
        assert.match(findings.map(({ sentence }) => sentence).join("\n"), /cannot be the watermark/);
        return "refused";
      }
      const found = await harness.rows(
        `SELECT id FROM _main."default".${target} UNION ALL SELECT CAST(json_extract_string("row", '$.id') AS INTEGER) FROM ${rejectsTable("_main")} WHERE stream = '${target}' ORDER BY 1`,
      );
      assert.deepEqual(
        found.map(([one]) => Number(one)),
        Array.from({ length: id }, (_, n) => n + 1),
        `${declared} ${strategy}: ${JSON.stringify(ordered)} cut at ${cuts}`,
      );
    }
  }
  return "loaded";
}
