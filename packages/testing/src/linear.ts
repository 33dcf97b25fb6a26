import assert from "node:assert/strict";
import { test } from "node:test";
import { isNightly } from "./nightly.ts";

/** Below this time, a measurement is mostly noise. */
const minMs = 5;

/** The CPU time of a call. Unlike elapsed time, it does not grow when other processes are busy. */
export async function cpuMsOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Asserts that `run` takes time in proportion to the length of a text that consists of `unit`: CPU time for 1 MiB, the
 * limit of a request body, is compared with that for a sixteenth of it. Quadratic code takes 256 times as long.
 */
export function assertLinear(run: (text: string) => unknown, unit: string): void {
  const cpuMs = (length: number) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const before = process.cpuUsage();
    run(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  cpuMs(1024);
  const small = Math.max(minMs, cpuMs(64 * 1024));
  // The garbage collector can double one measurement, but not three.
  let large = cpuMs(1024 * 1024);
  for (let n = 0; n < 2 && large >= 80 * small; n++) large = Math.min(large, cpuMs(1024 * 1024));
  assert.ok(
    large < 80 * small,
    `${JSON.stringify(unit)}: ${small} ms, and ${large} ms for 16 times the text`,
  );
}

/** Units that, when repeated, made at least one parser take quadratic time. */
const hostileUnits: readonly string[] = [
  "1",
  " ",
  "\n",
  "'",
  "''",
  '"',
  '""',
  "`",
  "\\",
  "\\'",
  "(",
  "[",
  "{",
  "{{a}}",
  "${",
  "$a$",
  "/*",
  "/**/",
  "/* ",
  "-- \n",
  ",",
  ".",
  "../",
  "*",
  "**/",
  ":",
  "://",
  "=",
  "&a=",
  "+",
  "😀",
  "a.",
  "a: ",
  "- ",
  "&a *a ",
  "struct<a:",
  "ARRAY<",
  "[1,",
  '{"a":',
  "Bearer ",
];

/**
 * Tests for each parser that its time is proportional to the length of the text. The parser may refuse the text. The
 * nightly run tries every unit with each parser; otherwise each parser gets a sixth of them, and the next parser
 * another sixth.
 */
export function testLinear(
  parsers: Readonly<Record<string, (text: string) => unknown>>,
  units: readonly string[] = hostileUnits,
): void {
  for (const [at, [name, parse]] of Object.entries(parsers).entries()) {
    test(`${name} takes time in proportion to its text`, () => {
      for (const unit of units.filter((_, n) => isNightly || (n + at) % 6 === 0)) {
        assertLinear((text) => {
          try {
            parse(text);
          } catch (error) {
            assert.ok(!(error instanceof RangeError), `${JSON.stringify(unit)}: ${error}`);
          }
        }, unit);
      }
    });
  }
}
