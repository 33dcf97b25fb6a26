import type { Run, RunLine } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { StreamMessage } from "../../core/stream-message.ts";
import type { RunLog } from "./run-log.ts";

/** On PostgreSQL another server may write the lines, which does not wake us: poll. */
const pollMs = 1000;
const pageSize = 500;

export const hasEnded = ({ status }: Pick<Run, "status">) => status !== "queued" && status !== "running";

/** Streams the existing lines, then new ones, until the run has ended. */
export async function* streamRun(
  log: RunLog,
  runOf: () => Promise<Run | undefined>,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const messageOf = (line: RunLine) => ({ id: String(line.n), event: "line", data: encodeJson(line) });
  let position = after;
  let wake = () => {};
  let isNew = false;
  const notify = () => {
    isNew = true;
    wake();
  };
  const end = log.onLines(runId, notify);
  signal.addEventListener("abort", notify);
  try {
    while (!signal.aborted) {
      isNew = false;
      // The status is read first: the lines read after it are then complete.
      const run = await runOf();
      for (;;) {
        const lines = await log.read(runId, position, pageSize);
        for (const line of lines) {
          yield messageOf(line);
          position = line.n;
        }
        if (lines.length < pageSize || signal.aborted) break;
      }
      if (!run || hasEnded(run)) {
        const data = encodeJson({ status: run?.status ?? null, error: run?.error ?? null });
        yield { id: String(position), event: "end", data };
        return;
      }
      if (!isNew) await waitFor((resume) => (wake = resume));
    }
  } finally {
    end();
    signal.removeEventListener("abort", notify);
  }
}

function waitFor(listen: (resume: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs);
    listen(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
