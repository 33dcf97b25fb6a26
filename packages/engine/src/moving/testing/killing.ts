import { createEngine } from "../../engine.ts";
import { EngineLost } from "../../problem.ts";
import type { Moved, Movement } from "../../requests.ts";

/** What a run passes on its way, in this order. */
export const steps = ["read", "staged", "written", "marked", "recorded"] as const;

export interface Killing {
  /** Holds the warehouse of the environment. */
  readonly folder: string;
  readonly movement: Movement;
  /** Where the first process kills itself, the second, and so on; the one after them is left alone. */
  readonly at: readonly string[];
  /** Called when a process is dead, before the next attempt. */
  between(): Promise<void>;
}

/** One run in real processes that kill themselves on the way, tried again until one ends it. Answers where they died. */
export async function moveThroughKills({
  folder,
  movement,
  at,
  between,
}: Killing): Promise<{ moved: Moved; killed: string[] }> {
  const engine = createEngine({ folder, memoryMb: 128, threads: 1, faults: at, onLog: () => {} });
  const killed: string[] = [];
  try {
    for (;;) {
      try {
        return { moved: await engine.ask("move", movement), killed };
      } catch (error) {
        if (!(error instanceof EngineLost) || !/SIGKILL/.test(error.message)) throw error;
        killed.push(at[killed.length] ?? "nowhere");
      }
      await between();
    }
  } finally {
    await engine.stop();
  }
}
