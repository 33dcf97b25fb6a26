import type { RunLine } from "@lakehelm/contract";
import { ApiError, chunksOf, messages } from "@lakehelm/contract/client";
import { fetchStream } from "../app/client.ts";

/** Waits this long before it connects again. */
const retryMs = 1_000;

interface LogReader {
  /** New lines, in order. */
  readonly onLines: (lines: readonly RunLine[]) => void;
  readonly onState: (state: "following" | "ended" | "reconnecting") => void;
}

/** Lines arrive one by one; they are passed on together, at most once for each frame. */
export async function followRunLog(
  runId: string,
  { onLines, onState }: LogReader,
  signal: AbortSignal,
): Promise<void> {
  let last = 0;
  let gathered: RunLine[] = [];
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    const lines = gathered;
    gathered = [];
    if (lines.length > 0 && !signal.aborted) onLines(lines);
  };
  while (!signal.aborted) {
    try {
      const path = `/api/v1/runs/${encodeURIComponent(runId)}/log?after=${last}`;
      const response = await fetchStream(path, "text/event-stream", signal);
      if (!response.ok || !response.body) {
        throw new ApiError("failed", `The log could not be read: the server returned ${response.status}.`, {
          status: response.status,
          requestId: response.headers.get("x-request-id") ?? undefined,
        });
      }
      onState("following");
      for await (const { data } of messages(chunksOf(response.body))) {
        const line = JSON.parse(data) as RunLine | { readonly status: string };
        if (!("n" in line)) {
          flush();
          onState("ended");
          return;
        }
        last = line.n;
        gathered.push(line);
        if (!isScheduled) requestAnimationFrame(flush);
        isScheduled = true;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && (error.status ?? 500) < 500) throw error;
    }
    onState("reconnecting");
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}
