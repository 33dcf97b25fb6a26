import type { Run } from "@lakehelm/contract";
import type { RunLog } from "./run-log.ts";
import { hasEnded } from "./run-stream.ts";

/** On PostgreSQL another server may execute the run, which does not wake us: poll. */
const pollMs = 1000;

/** Resolves with the run when it has ended; undefined if it does not exist. Throws the signal's reason on abort. */
export async function waitForRun(
  log: Pick<RunLog, "onLines">,
  find: () => Promise<Run | undefined>,
  runId: string,
  signal: AbortSignal,
): Promise<Run | undefined> {
  let wake = () => {};
  let isNew = false;
  const notify = () => {
    isNew = true;
    wake();
  };
  const end = log.onLines(runId, notify);
  signal.addEventListener("abort", notify);
  try {
    for (;;) {
      signal.throwIfAborted();
      isNew = false;
      const run = await find();
      if (!run || hasEnded(run)) return run;
      if (isNew) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    end();
    signal.removeEventListener("abort", notify);
  }
}
