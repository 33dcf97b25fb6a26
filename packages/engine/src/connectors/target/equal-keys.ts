import type { Refusal } from "../../protocol/transfer.ts";

/**
 * A target may take keys for the same that differ in the warehouse: `a` and `A` of a citext or of most collations of
 * MySQL, `a` and `a ` where blanks at the end do not count. Only one row with such a key is written; the others are
 * rejects with one of these reasons.
 */
export const sameKeyInRun = (keys: readonly string[]): Refusal => ({
  reason: `the target takes its key for the same as that of another row, which was written: ${listed(keys)}`,
});

export function sameKeyInTarget(keys: readonly string[], existing: readonly unknown[]): Refusal {
  const cause = `the target has a row whose key it takes for the same: ${listed(keys)}`;
  return { reason: `${cause} = ${values(existing)}`, cause };
}

/**
 * For a type that writes each value in only one way: every run would take the stored key for the key of another row.
 */
export function respelledKey(
  keys: readonly string[],
  sent: readonly unknown[],
  kept: readonly unknown[],
): Refusal {
  const cause = `the target writes its key in another way: ${listed(keys)}`;
  const remedy = "Write it so in the warehouse, or make the column of the target a text";
  return {
    reason: `${cause} = ${values(sent)} as ${values(kept)}. ${remedy}`,
    cause: `${cause}. ${remedy}`,
  };
}

const values = (all: readonly unknown[]): string => all.map((one) => JSON.stringify(one)).join(", ");
const listed = (keys: readonly string[]): string => keys.map((key) => JSON.stringify(key)).join(", ");
