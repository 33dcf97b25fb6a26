/**
 * `npm run soak -- --minutes 5 --seed 1` runs the soak test. The same seed kills the same kinds of processes in the
 * same order. `--automations 60` makes the test smaller, and `--busy-loops 4` runs four processes at the same time that
 * use all available CPU time.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
    automations: { type: "string", default: "200" },
    "busy-loops": { type: "string", default: "0" },
  },
});
const seconds = Number(values.minutes) * 60;
const [seed, automations, busyLoops] = [values.seed, values.automations, values["busy-loops"]].map(Number);
const isValid =
  seconds > 0 && Number.isInteger(seed) && isCount(automations, 1, 10_000) && isCount(busyLoops, 0, 100);
if (!isValid) {
  console.error(
    "Usage: npm run soak -- --minutes <number above 0> --seed <integer> --automations <1 to 10000> --busy-loops <0 to 100>",
  );
  process.exit(1);
}
console.log(
  `Soak test: ${values.minutes} minutes, seed ${seed}, ${automations} automations, ${busyLoops} busy loops.`,
);
const { status } = spawnSync(
  process.execPath,
  ["--test", "--test-reporter=spec", resolve(import.meta.dirname, "../soak/soak.engine.ts")],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      SOAK_SECONDS: String(seconds),
      SOAK_SEED: String(seed),
      SOAK_AUTOMATIONS: String(automations),
      SOAK_BUSY_LOOPS: String(busyLoops),
    },
  },
);
process.exit(status ?? 1);

function isCount(value: number | undefined, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
