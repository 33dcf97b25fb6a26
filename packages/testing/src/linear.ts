import assert from "node:assert/strict";

/** Below this, the measurement is mostly noise. */
const minMs = 5;

/**
 * Asserts that `run` takes time in proportion to the length of a text that consists of `unit`: CPU time for 512 KiB is
 * compared with that for a sixteenth of it. Quadratic code takes 256 times as long.
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
  const small = Math.max(minMs, cpuMs(32 * 1024));
  const large = cpuMs(512 * 1024);
  assert.ok(
    large < 80 * small,
    `${JSON.stringify(unit)}: ${small} ms, and ${large} ms for 16 times the text`,
  );
}
