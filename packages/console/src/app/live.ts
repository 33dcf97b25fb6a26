import type { Event } from "@lakehelm/contract";
import { ApiError } from "@lakehelm/contract/client";
import { api, streamState } from "./client.ts";
import type { Dependence } from "./dependence.ts";
import { queryClient, readAgain } from "./queries.ts";
import { hasEnded, refreshSession, session } from "./session.ts";

/** Changes within this time cause one refresh, so that a burst of events does not cause a burst of requests. */
const gatherMs = 300;
const leastMs = 1_000;

let pending: Event[] = [];
let isScheduled = false;
let flushedAt = 0;

function enqueue(event: Event): void {
  pending.push(event);
  if (!isScheduled) setTimeout(flush, Math.max(gatherMs, flushedAt + leastMs - performance.now()));
  isScheduled = true;
}

function flush(): void {
  const events = pending;
  pending = [];
  isScheduled = false;
  flushedAt = performance.now();
  // The session contains environments and roles.
  if (events.some(({ kind }) => kind.startsWith("environment."))) void refreshSession();
  readAgain(({ meta }) => {
    const dependences = (meta?.on ?? []) as readonly Dependence[];
    return dependences.some((one) => events.some((event) => concerns(one, event)));
  }, true);
}

function concerns({ kind, subject }: Dependence, event: Event): boolean {
  if (subject !== undefined && event.subject !== subject) return false;
  return kind.endsWith("*") ? event.kind.startsWith(kind.slice(0, -1)) : event.kind === kind;
}

/** Follows the event log from the position of the session until the signal aborts. */
async function followChanges(after: number, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of api.followEvents({ after, signal })) enqueue(event);
  } catch (error) {
    if (signal.aborted) return;
    streamState.value = "offline";
    if (error instanceof ApiError && error.kind === "unauthorized") hasEnded.value = true;
    // Events after this position were removed from the log, so everything is read again and the stream continues from
    // now.
    else if (error instanceof ApiError && error.status === 410) {
      const { last_event } = await api.getSession();
      void queryClient.invalidateQueries();
      return followChanges(last_event, signal);
    }
  }
}

/** Follows the events after the session's position, so that changes since then are also read. */
export function resumeChanges(signal: AbortSignal): void {
  const position = session.value?.last_event;
  if (position !== undefined) void followChanges(position, signal);
}
