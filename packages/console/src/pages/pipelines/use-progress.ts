import { useEffect } from "preact/hooks";
import { queryClient } from "../../app/queries.ts";
import { followLog } from "../../data/log-stream.ts";

/** The server records the state of tables at most every two seconds. */
const gatherMs = 1_000;

/** During an update, its log says when a table has ended. Then the numbers of the update are read again. */
export function useProgress(pipelineId: string, updateId: string | undefined): void {
  useEffect(() => {
    if (updateId === undefined) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      void queryClient.invalidateQueries({ queryKey: ["pipeline-update", pipelineId, updateId] });
    };
    const onLines = () => {
      timer ??= setTimeout(refresh, gatherMs);
    };
    // Problems of the log are ignored here: the page of the run shows the log and its problems.
    followLog(
      {
        pathAfter: (last = 0) => `/api/v1/runs/${encodeURIComponent(updateId)}/log?after=${last}`,
        onLines,
        onState: () => undefined,
      },
      controller.signal,
    ).catch(() => undefined);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [pipelineId, updateId]);
}
