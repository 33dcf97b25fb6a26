import { spawn, spawnSync } from "node:child_process";

/** The output of a program; undefined if it does not exist or fails. */
export function outputOf(program: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? `${stdout}${stderr}`.trim() : undefined;
}

/** Runs a program. If it fails, the error contains the end of its output. */
export async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let log = "";
  child.stdout.on("data", (chunk) => {
    log += chunk;
  });
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const status = await new Promise<number | null>((done, fail) => child.on("error", fail).on("close", done));
  if (status !== 0)
    throw new Error(`${program} ${args.join(" ")} exited with code ${status}:\n${log.slice(-4000)}`);
}

/** Makes three attempts, for downloads that sometimes fail. */
export async function runWithRetries(program: string, args: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(program, args);
    } catch (error) {
      if (attempt === 3) throw error;
      console.log(`  attempt ${attempt} failed, retrying`);
    }
  }
}
