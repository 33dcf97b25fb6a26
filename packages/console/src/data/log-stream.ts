import { ApiError, chunksOf, messages } from "@lakehelm/contract/client";
import { fetchStream } from "../app/client.ts";

/** The wait before a reconnect. */
const retryMs = 1_000;

export type LogState = "following" | "ended" | "reconnecting";

interface LogStream<Line> {
  /** The address of the stream after a line: the last line that was received; undefined for the first connection. */
  readonly pathAfter: (last: number | undefined) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** New lines, in order. */
  readonly onLines: (lines: readonly Line[]) => void;
  readonly onState: (state: LogState) => void;
}

/**
 * Follows a log until it ends. Lines arrive one by one and are passed on in batches, at most one per animation frame.
 */
export async function followLog<Line extends { readonly n: number }>(
  { pathAfter, headers = {}, onLines, onState }: LogStream<Line>,
  signal: AbortSignal,
): Promise<void> {
  let last: number | undefined;
  let gathered: Line[] = [];
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    const lines = gathered;
    gathered = [];
    if (lines.length > 0 && !signal.aborted) onLines(lines);
  };
  while (!signal.aborted) {
    try {
      const response = await fetchStream(pathAfter(last), "text/event-stream", signal, headers);
      if (!response.ok || !response.body) {
        throw new ApiError("failed", `The log could not be read: the server returned ${response.status}.`, {
          status: response.status,
          requestId: response.headers.get("x-request-id") ?? undefined,
        });
      }
      onState("following");
      for await (const { data } of messages(chunksOf(response.body))) {
        const line = JSON.parse(data) as Line | { readonly status: string };
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
