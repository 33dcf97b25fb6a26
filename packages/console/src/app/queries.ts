import { ApiError } from "@lakehelm/contract/client";
import {
  hashKey,
  keepPreviousData,
  type Query,
  QueryCache,
  QueryClient,
  QueryObserver,
} from "@tanstack/query-core";
import { useEffect, useReducer, useState } from "preact/hooks";
import type { Dependence } from "./dependence.ts";
import { hasEnded } from "./session.ts";

function onError(error: Error): void {
  if (error instanceof ApiError && error.kind === "unauthorized") hasEnded.value = true;
}

/** Answers are valid until an event invalidates them, so nothing is polled. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 300_000,
      // The API's client already retries requests that are safe to retry.
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: "always",
    },
  },
});

/** How long the last read of an answer took, and when it ended. */
const lastReadings = new Map<string, { readonly ms: number; readonly endedMs: number }>();
/** Answers that will be read again. */
const due = new Set<string>();
/**
 * The pause between two reads of an answer is this many times the duration of the last read: large answers are read
 * less often.
 */
const restFactor = 4;
/** The longest pause, because on a busy machine every answer takes long. */
const longestRestMs = 3_000;

async function timed<T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    return await read();
  } finally {
    const endedMs = performance.now();
    lastReadings.set(hashKey(key), { ms: endedMs - startedMs, endedMs });
  }
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === "removed") lastReadings.delete(query.queryHash);
});

/**
 * Reads answers again. An answer that is being read is read once more afterwards, because its request was sent before
 * the change. Restarting the request at each change would never end if changes come faster than answers. `isPaced` is
 * for changes by other callers.
 */
export function readAgain(predicate: (query: Query) => boolean, isPaced = false): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const { queryHash, promise } = query;
    if ((isPaced && due.has(queryHash)) || !predicate(query)) continue;
    due.add(queryHash);
    const read = () => readAfterRest(query, isPaced);
    if (query.state.fetchStatus === "fetching" && promise) promise.then(read, read);
    else read();
  }
}

function readAfterRest({ queryKey, queryHash }: Query, isPaced: boolean): void {
  const last = isPaced ? lastReadings.get(queryHash) : undefined;
  const waitMs = last ? last.endedMs + Math.min(last.ms * restFactor, longestRestMs) - performance.now() : 0;
  const read = () => {
    due.delete(queryHash);
    void queryClient.invalidateQueries({ queryKey, exact: true });
  };
  if (waitMs > 0) setTimeout(read, waitMs);
  else read();
}

export interface QueryOptions<T> {
  /** Equal keys share one answer. The first part names what is read. */
  readonly key: readonly unknown[];
  readonly read: (signal: AbortSignal) => Promise<T>;
  /** The events that invalidate the answer. */
  readonly on?: readonly Dependence[];
  readonly enabled?: boolean;
  /**
   * Shows the answer to the previous key until the new answer arrives. Not for filters, because a list must not show
   * rows of another filter.
   */
  readonly keepsPrevious?: boolean;
}

export interface QueryResult<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly refresh: () => void;
}

/** Reads from the API and keeps the answer current. */
export function useQuery<T>({
  key,
  read,
  on,
  enabled = true,
  keepsPrevious,
}: QueryOptions<T>): QueryResult<T> {
  const options = {
    queryKey: key,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => timed(key, () => read(signal)),
    enabled,
    meta: { on },
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  };
  const [observer] = useState(() => new QueryObserver<T, Error>(queryClient, options as never));
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  useEffect(() => observer.subscribe(() => rerender(undefined)), [observer]);
  observer.setOptions(options as never);
  const result = observer.getOptimisticResult(queryClient.defaultQueryOptions(options as never));
  return {
    data: result.data,
    error: result.error,
    isLoading: result.isPending && result.fetchStatus !== "idle",
    refresh: () => void observer.refetch(),
  };
}

export interface Action<A extends readonly unknown[]> {
  readonly run: (...args: A) => Promise<boolean>;
  readonly isRunning: boolean;
  readonly error: Error | undefined;
  readonly clear: () => void;
}

/** A change through the API, one at a time. Its error is kept for the form, which shows it. */
export function useAction<A extends readonly unknown[]>(
  perform: (...args: A) => Promise<unknown>,
): Action<A> {
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly error?: Error | undefined }>({
    isRunning: false,
  });
  return {
    isRunning: state.isRunning,
    error: state.error,
    clear: () => setState({ isRunning: false }),
    async run(...args) {
      if (state.isRunning) return false;
      setState({ isRunning: true });
      try {
        await perform(...args);
        setState({ isRunning: false });
        return true;
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        onError(error);
        setState({ isRunning: false, error });
        return false;
      }
    },
  };
}
