import { readdir, readFile } from "node:fs/promises";
import { until } from "./until.ts";

/**
 * Stops a process and waits until all its threads have stopped. The signal alone returns at once: on a busy machine the
 * threads may still run for a while. Where there is no /proc, it only sends the signal.
 */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  if (process.platform !== "linux") return;
  await until(async () => {
    const threads = await readdir(`/proc/${pid}/task`);
    const states = await Promise.all(threads.map((thread) => stateOf(`/proc/${pid}/task/${thread}/stat`)));
    return states.every((state) => state === "T" || state === undefined);
  });
}

/** The letter of proc(5) after the name, which is in brackets and may contain anything; undefined if the thread has ended. */
async function stateOf(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((): undefined => undefined);
  return text?.slice(text.lastIndexOf(")") + 2).charAt(0);
}
