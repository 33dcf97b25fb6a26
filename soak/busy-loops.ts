import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Runs until it is killed, or until its parent process has ended, for whatever reason. */
const program = "do for (let n = 0; n < 1e8; n++); while (process.ppid === Number(process.argv[1]))";

/**
 * Starts processes that use all available CPU time, so that other processes get little. Returns a function that ends
 * them.
 */
export function startBusyLoops(count: number): () => Promise<void> {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", program, String(process.pid)], { stdio: "ignore", env: {} }),
  );
  return async () => {
    await Promise.all(loops.map(end));
  };
}

async function end(loop: ChildProcess): Promise<void> {
  if (loop.exitCode !== null || loop.signalCode !== null) return;
  const exit = once(loop, "exit");
  loop.kill("SIGKILL");
  await exit;
}
