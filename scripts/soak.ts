/** `npm run soak -- --minutes 5 --seed 1` runs the soak test. The same seed kills the same kinds of processes in the same order. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
});
const seconds = Number(values.minutes) * 60;
if (!(seconds > 0) || !Number.isInteger(Number(values.seed))) {
  console.error("Usage: npm run soak -- --minutes <number above 0> --seed <integer>");
  process.exit(1);
}
console.log(`Soak test: ${values.minutes} minutes, seed ${values.seed}.`);
const { status } = spawnSync(
  process.execPath,
  ["--test", "--test-reporter=spec", resolve(import.meta.dirname, "../soak/soak.engine.ts")],
  { stdio: "inherit", env: { ...process.env, SOAK_SECONDS: String(seconds), SOAK_SEED: values.seed } },
);
process.exit(status ?? 1);
