import { spawn, spawnSync } from "node:child_process";

/** What a program prints, or undefined where it is not there or fails. */
export function printed(program: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? `${stdout}${stderr}`.trim() : undefined;
}

/** Runs a program; its last words are shown only if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let words = "";
  child.stdout.on("data", (chunk) => {
    words += chunk;
  });
  child.stderr.on("data", (chunk) => {
    words += chunk;
  });
  const status = await new Promise<number | null>((done, fail) => child.on("error", fail).on("close", done));
  if (status !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${words.slice(-4000)}`);
}

/** Downloads fail now and then: three attempts. */
export async function runWithNetwork(program: string, args: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(program, args);
    } catch (error) {
      if (attempt === 3) throw error;
      console.log(`  attempt ${attempt} failed, trying again`);
    }
  }
}
