import type { RunLine } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { LogState } from "../data/log-stream.ts";
import { openRunLog, type RunLogReader } from "../data/run-log.ts";
import { LogPanel, saveText } from "./log-panel.tsx";

/** The length of a pause in typing after which the search starts. */
const typingMs = 250;

/** The log of a run as it is written: follow, search, download. Only the lines in view of a long log are read. */
export function LogView({ runId, name }: { runId: string; name: string }): VNode {
  const reader = useRef<RunLogReader | undefined>(undefined);
  const [, rerender] = useReducer((at: number) => at + 1, 0);
  const [state, setState] = useState<LogState>("following");
  const [problem, setProblem] = useState<Error | undefined>();
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<readonly RunLine[] | undefined>();
  useEffect(() => {
    const opened = openRunLog(runId, {
      onChange: () => rerender(undefined),
      onState: setState,
      onProblem: setProblem,
    });
    reader.current = opened;
    return opened.close;
  }, [runId]);
  const total = reader.current?.total() ?? 0;
  const wanted = search.trim();
  useEffect(() => {
    if (wanted === "") return setFound(undefined);
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      reader.current?.search(wanted, signal).then(setFound, (error) => signal.aborted || setProblem(error));
    }, typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted, total, runId]);
  return (
    <LogPanel
      title="Log"
      state={state}
      problem={problem}
      total={total}
      count={found?.length ?? total}
      lineAt={(index) => (found ? found[index] : reader.current?.lineAt(index))}
      onView={(first, last) => found || reader.current?.view(first, last)}
      search={search}
      onSearch={setSearch}
      onDownload={async () =>
        reader.current?.texts().then((texts) => saveText(texts, `${name}-${runId}.log`), setProblem)
      }
      hasNumbers
    />
  );
}
