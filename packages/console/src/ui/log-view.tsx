import type { RunLine } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { followLog, type LogState } from "../data/log-stream.ts";
import { LogPanel, saveText } from "./log-panel.tsx";

/** The log of a run as it is written: follow, search, download. */
export function LogView({ runId, name }: { runId: string; name: string }): VNode {
  const lines = useRef<RunLine[]>([]);
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<LogState>("following");
  const [problem, setProblem] = useState<Error | undefined>();
  const [search, setSearch] = useState("");
  useEffect(() => {
    const controller = new AbortController();
    lines.current = [];
    followLog<RunLine>(
      {
        pathAfter: (last = 0) => `/api/v1/runs/${encodeURIComponent(runId)}/log?after=${last}`,
        onLines(added) {
          for (const line of added) lines.current.push(line);
          setTotal(lines.current.length);
        },
        onState: setState,
      },
      controller.signal,
    ).catch(setProblem);
    return () => controller.abort();
  }, [runId]);
  const wanted = search.trim().toLowerCase();
  const shown = useMemo(
    () =>
      wanted === "" ? lines.current : lines.current.filter(({ line }) => line.toLowerCase().includes(wanted)),
    [wanted, total],
  );
  return (
    <LogPanel
      title="Log"
      state={state}
      problem={problem}
      total={total}
      count={shown.length}
      lineAt={(index) => shown[index]}
      search={search}
      onSearch={setSearch}
      onDownload={async () =>
        saveText(
          lines.current.map(({ time, level, line }) => `${time} ${level} ${line}\n`),
          `${name}-${runId}.log`,
        )
      }
      hasNumbers
    />
  );
}
