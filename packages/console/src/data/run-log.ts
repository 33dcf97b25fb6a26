import type { RunLine } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { followLog, type LogState } from "./log-stream.ts";

const pageSize = 1_000;
/** The number of pages that are kept. Earlier pages are read again when they come into view. */
const mostPages = 60;
/** Dragging the scroll bar passes many pages; only pages where it rests this long are read. */
const restMs = 60;
const mostFound = 5_000;

/** The log of a run. Only the parts in view are read. */
export interface RunLogReader {
  /** The number of lines so far, without lines that the server has dropped. */
  readonly total: () => number;
  readonly lineAt: (index: number) => RunLine | undefined;
  /** Reads the missing lines in this range, which is in view. */
  readonly view: (first: number, last: number) => void;
  /** Lines that contain a text; at most 5,000. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly RunLine[]>;
  /** The text of all lines, in parts. */
  readonly texts: () => Promise<string[]>;
  readonly close: () => void;
}

interface Listener {
  /** Lines have arrived. */
  readonly onChange: () => void;
  readonly onState: (state: LogState) => void;
  readonly onProblem: (problem: Error) => void;
}

export function openRunLog(runId: string, { onChange, onState, onProblem }: Listener): RunLogReader {
  const controller = new AbortController();
  const { signal } = controller;
  const pages = new Map<number, (RunLine | undefined)[]>();
  const loading = new Set<number>();
  let total = 0;
  /** The number of lines that the server has dropped, after line `after`. */
  let leftOut = { after: 0, lines: 0 };
  /** Rows have no gap: the last line before the dropped lines is followed by the first line after them. */
  const indexOf = (row: number) => (leftOut.lines > 0 && row >= leftOut.after ? row + leftOut.lines : row);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const params = { run_id: runId };
  const fail = (error: unknown) => {
    if (!signal.aborted) onProblem(error instanceof Error ? error : new Error(String(error)));
  };

  function put(lines: readonly RunLine[]): void {
    for (const line of lines) {
      const at = Math.floor((line.n - 1) / pageSize);
      const page = pages.get(at) ?? [];
      pages.set(at, page);
      page[(line.n - 1) % pageSize] = line;
      total = Math.max(total, line.n);
    }
    for (const at of pages.keys()) {
      if (pages.size <= mostPages) break;
      pages.delete(at);
    }
  }

  async function load(at: number) {
    loading.add(at);
    try {
      const query = { after: at * pageSize, limit: pageSize };
      const { lines, last, ended, left_out } = await api.readRunLog({ params, query, signal });
      if (left_out) leftOut = left_out;
      total = Math.max(total, last);
      put(lines);
      // The state comes first, because a log that is followed scrolls to its end.
      if (ended && at === 0) onState("ended");
      onChange();
      return ended;
    } finally {
      loading.delete(at);
    }
  }

  async function start(): Promise<void> {
    if (await load(0)) return;
    const from = total;
    await followLog<RunLine>(
      {
        pathAfter: (last = from) => `/api/v1/runs/${encodeURIComponent(runId)}/log?after=${last}`,
        onLines(lines) {
          put(lines);
          onChange();
        },
        onState,
      },
      signal,
    );
  }
  start().catch(fail);

  const isMissing = (index: number) =>
    pages.get(Math.floor(index / pageSize))?.[index % pageSize] === undefined;

  return {
    total: () => total - leftOut.lines,
    lineAt(row) {
      const index = indexOf(row);
      return pages.get(Math.floor(index / pageSize))?.[index % pageSize];
    },
    view(first, last) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const index of [indexOf(first), Math.min(indexOf(last), total - 1)]) {
          const at = Math.floor(index / pageSize);
          if (index >= 0 && isMissing(index) && !loading.has(at)) load(at).catch(fail);
        }
      }, restMs);
    },
    async search(text, ended) {
      const found: RunLine[] = [];
      let after = 0;
      for (;;) {
        const query = { after, search: text, limit: mostFound - found.length };
        const page = await api.readRunLog({ params, query, signal: ended });
        found.push(...page.lines);
        if (page.next_after <= after || page.next_after >= page.last || found.length >= mostFound)
          return found;
        after = page.next_after;
      }
    },
    async texts() {
      const parts: string[] = [];
      for (let after = 0; ; ) {
        const page = await api.readRunLog({ params, query: { after, limit: 10_000 }, signal });
        parts.push(page.lines.map(({ time, level, line }) => `${time} ${level} ${line}\n`).join(""));
        if (page.next_after <= after || page.next_after >= page.last) return parts;
        after = page.next_after;
      }
    },
    close() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
