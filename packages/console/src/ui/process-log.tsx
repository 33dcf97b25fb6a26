import type { ProcessLine } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { followLog, type LogState } from "../data/log-stream.ts";
import { LogPanel, saveText } from "./log-panel.tsx";

/** The number of lines read at first. Older lines are in the server's file. */
const firstLines = 5_000;

interface ProcessLogProps {
  /** The address of the log, without parameters. */
  readonly path: string;
  readonly environment?: string | undefined;
  readonly fileName: string;
}

/** The output of an agent or an app, as it is written. */
export function ProcessLog({ path, environment, fileName }: ProcessLogProps): VNode {
  const lines = useRef<ProcessLine[]>([]);
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<LogState>("following");
  const [problem, setProblem] = useState<Error | undefined>();
  const [search, setSearch] = useState("");
  useEffect(() => {
    const controller = new AbortController();
    lines.current = [];
    setTotal(0);
    setProblem(undefined);
    followLog<ProcessLine>(
      {
        pathAfter: (last) => `${path}?limit=${firstLines}${last === undefined ? "" : `&after=${last}`}`,
        ...(environment !== undefined && { headers: { "x-environment-id": environment } }),
        onLines(added) {
          for (const line of added) lines.current.push(line);
          setTotal(lines.current.length);
        },
        onState: setState,
      },
      controller.signal,
    ).catch(setProblem);
    return () => controller.abort();
  }, [path, environment]);
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
          lines.current.map(({ line }) => `${line}\n`),
          fileName,
        )
      }
      hasNumbers={false}
    />
  );
}
