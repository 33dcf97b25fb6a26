import type { endpoints } from "@lakehelm/contract";
import { ApiError, type ClientResult } from "@lakehelm/contract/client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { hasEnded } from "../../app/session.ts";
import { remember } from "./history.ts";
import type { Statement } from "./statement.ts";
import type { Cell, ResultColumn } from "./values.ts";

interface Result {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly more: boolean;
  readonly seconds: number;
}

export interface StatementState {
  readonly statement?: Statement;
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly result?: Result;
  readonly error?: Error;
  readonly isCancelled?: boolean;
}

const firstPage = 1_000;
const nextPage = 10_000;
/** The most values that the page keeps, because more would make the browser slow. */
const mostCells = 5_000_000;
export const timeoutSeconds = 600;

/** A page of the rows of a statement. */
export const readRows = (
  { sql, environment, dialect }: Statement,
  skip: number,
  limit: number,
  signal: AbortSignal,
) =>
  api.runQuery({
    body: { sql, dialect, skip, limit, timeout_seconds: timeoutSeconds },
    environment,
    signal,
    timeoutMs: (timeoutSeconds + 10) * 1_000,
  }) as Promise<ClientResult<typeof endpoints.runQuery>>;

/** Runs one statement at a time and reads its pages of rows. */
export function useStatement() {
  const [state, setState] = useState<StatementState>({ isRunning: false, startedAt: 0 });
  const controller = useRef<AbortController | undefined>(undefined);
  const isLoadingMore = useRef(false);
  useEffect(() => () => controller.current?.abort(), []);

  const run = useCallback(async (statement: Statement) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    isLoadingMore.current = false;
    const startedAt = Date.now();
    const base = { statement, startedAt, isRunning: false };
    setState({ ...base, isRunning: true });
    try {
      const { columns, rows, more, seconds } = await readRows(statement, 0, firstPage, own.signal);
      remember(statement, { seconds, rows: rows.length, more });
      if (!own.signal.aborted) setState({ ...base, result: { columns, rows, more, seconds } });
    } catch (thrown) {
      // Another statement has started since.
      if (controller.current !== own) return;
      if (own.signal.aborted) {
        remember(statement, { problem: "Cancelled" });
        return setState({ ...base, isCancelled: true });
      }
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error instanceof ApiError && error.kind === "unauthorized") hasEnded.value = true;
      remember(statement, { problem: error.message });
      setState({ ...base, error });
    }
  }, []);

  const cancel = useCallback(() => controller.current?.abort(), []);

  const loadMore = useCallback(async () => {
    const { statement, result } = state;
    const own = controller.current;
    if (!statement || !result?.more || !own || isLoadingMore.current) return;
    if (result.rows.length * result.columns.length >= mostCells) return;
    isLoadingMore.current = true;
    try {
      const page = await readRows(statement, result.rows.length, nextPage, own.signal);
      const rows = [...result.rows, ...page.rows];
      if (controller.current === own) setState({ ...state, result: { ...result, rows, more: page.more } });
    } catch (error) {
      if (controller.current === own && !own.signal.aborted)
        setState({ ...state, error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      isLoadingMore.current = false;
    }
  }, [state]);

  return { state, run, cancel, loadMore };
}
