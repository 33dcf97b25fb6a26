/** Runs the rules about types in generated code in Python, over all types of Spark. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { watermarkOrderCode } from "../connector/watermark-order-code.ts";
import { holdsCode } from "./write-code.ts";

const python = spawnSync("python3", ["--version"]).status === 0;
const run = (code: string, types: readonly string[]): unknown =>
  JSON.parse(
    execFileSync("python3", ["-c", `import json, re, sys\n${code}`, JSON.stringify(types)]).toString(),
  );

const integers = { tinyint: 7n, smallint: 15n, int: 31n, bigint: 63n };
const decimals = [1, 3, 5, 9, 10, 18, 19, 20, 38].flatMap((size) =>
  [0, 2, 4, 9].filter((scale) => scale <= size).map((scale) => `decimal(${size},${scale})`),
);
const others =
  "boolean float double string binary date timestamp timestamp_ntz time(6) variant void interval_day array<int> map<int,int> struct<a:int> varchar(9) char(9)".split(
    " ",
  );
const types = [...Object.keys(integers), ...decimals, ...others];

/** The greatest value of an exact number type, and the value of its last digit, both in units of 1e-38. */
function rangeOf(type: string): { greatest: bigint; unit: bigint } | undefined {
  const bits = new Map(Object.entries(integers)).get(type);
  const one = 10n ** 38n;
  if (bits !== undefined) return { greatest: (2n ** bits - 1n) * one, unit: one };
  const [, size, scale] = /^decimal\((\d+),(\d+)\)$/.exec(type) ?? [];
  if (size === undefined || scale === undefined) return undefined;
  const unit = 10n ** (38n - BigInt(scale));
  return { greatest: (10n ** BigInt(size) - 1n) * unit, unit };
}

/**
 * Whether the wider type holds all values of the other. Number types are compared by their ranges; all other pairs are
 * listed.
 */
function isHeld(wider: string, type: string): boolean {
  if (["double<float", "timestamp_ntz<date"].includes(`${wider}<${type}`)) return true;
  const [one, other] = [rangeOf(wider), rangeOf(type)];
  // A DOUBLE has 53 significant bits.
  if (wider === "double" && type in integers) return other !== undefined && type !== "bigint";
  if (!one || !other || wider === type || (wider in integers && !(type in integers))) return false;
  return one.greatest >= other.greatest && one.unit <= other.unit;
}

suite("rules about types in generated code", { skip: python ? false : "there is no python3" }, () => {
  test("only types that every system orders in the same way can be a watermark", () => {
    const accepted = run(
      `${watermarkOrderCode}
def accepts(kind):
    try:
        return require_ordered("at", kind) == kind
    except TypeError:
        return False
print(json.dumps([kind for kind in json.loads(sys.argv[1]) if accepts(kind)]))`,
      types,
    );
    const ordered = ["double", "date", "timestamp", "timestamp_ntz"];
    assert.deepEqual(accepted, [...Object.keys(integers), ...decimals, ...ordered]);
  });

  test("a type holds another one if it has all of its values", () => {
    const held = run(
      `${holdsCode}
types = json.loads(sys.argv[1])
print(json.dumps([[kind, other] for kind in types for other in types if holds(kind, other)]))`,
      types,
    );
    const expected = types.flatMap((one) =>
      types.filter((other) => isHeld(one, other)).map((other) => [one, other]),
    );
    assert.deepEqual(held, expected);
  });
});
