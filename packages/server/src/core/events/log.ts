import type { Store } from "../store/store.ts";
import { isSealed, link } from "./chain.ts";
import { createSealer } from "./sealer.ts";

/** A sealed event: its sequence in the log, and its text as committed with the change. */
export interface SealedEvent {
  readonly sequence: number;
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  readonly hash: string;
}

/** `kind` may end in `.*`: then it is a prefix. */
export interface Filter {
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
}

type VerificationResult =
  | { readonly intact: true; readonly checked: number }
  | { readonly intact: false; readonly checked: number; readonly problem: string };

export interface EventLog {
  read(after: number, limit: number, filter: Filter): Promise<SealedEvent[]>;
  /** The sequence of the last sealed event. */
  head(): Promise<number>;
  /** Resolves when there may be events after `after`, or when the signal aborts. */
  next(after: number, signal: AbortSignal): Promise<void>;
  verify(): Promise<VerificationResult>;
  /** Seals every event that is committed by now. */
  seal(): Promise<void>;
  close(): Promise<void>;
}

export interface LogOptions {
  readonly key: Buffer;
  /** Delay between a commit and sealing: batches a burst of changes. */
  readonly gatherMs: number;
  /** Poll interval for events of other servers; undefined if there are none. */
  readonly pollMs: number | undefined;
  /** Called on failure (full disk, lost database). Sealing is retried. */
  readonly retryMs?: number;
  readonly onError: (error: unknown) => void;
}

export function openEventLog(
  store: Store,
  { key, gatherMs, pollMs, retryMs = 1000, onError }: LogOptions,
): EventLog {
  const sealer = createSealer(store, key);
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let head = 0;
  let failing = false;
  let closed = false;

  const readHead = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("event_head").select(["sequence", "hash", "mac"]).where("id", "=", 1),
  );
  type Kinds = "any" | "one" | "prefix";
  const page = (kinds: Kinds, ofSubject: boolean) =>
    store.prepare((db, v: { after: number; limit: number; kind: string; to: string; subject: string }) => {
      let query = db
        .selectFrom("events")
        .select(["sequence", "id", "kind", "subject", "body", "hash"])
        .where("sequence", ">", v.after);
      if (kinds === "one") query = query.where("kind", "=", v.kind);
      if (kinds === "prefix") query = query.where("kind", ">=", v.kind).where("kind", "<", v.to);
      if (ofSubject) query = query.where("subject", "=", v.subject);
      return query.orderBy("sequence").limit(v.limit);
    });
  const pages = {
    any: [page("any", false), page("any", true)],
    one: [page("one", false), page("one", true)],
    prefix: [page("prefix", false), page("prefix", true)],
  } as const;

  async function sealAndNotify(): Promise<void> {
    try {
      await sealer.seal();
      failing = false;
      const now = (await store.one(readHead({})))?.sequence ?? 0;
      if (now <= head) return;
      head = now;
      for (const wake of waiting) wake();
    } catch (error) {
      if (closed) return;
      // Log a repeated failure once.
      if (!failing) onError(error);
      failing = true;
      sealIn(retryMs);
    }
  }

  function sealIn(inMs: number): void {
    if (timer || closed) return;
    timer = setTimeout(async () => {
      timer = undefined;
      await sealAndNotify();
    }, inMs);
    timer.unref();
  }

  store.onEvents(() => sealIn(gatherMs));
  // A crash may have left committed events unsealed.
  sealIn(0);
  const poll = pollMs === undefined ? undefined : setInterval(sealAndNotify, pollMs);
  poll?.unref();

  return {
    async read(after, limit, { kind, subject }) {
      // PostgreSQL rejects NUL in text, and no kind or subject contains one.
      if (kind?.includes("\0") || subject?.includes("\0")) return [];
      const kinds: Kinds = kind === undefined ? "any" : kind.endsWith(".*") ? "prefix" : "one";
      const from = kinds === "prefix" ? (kind as string).slice(0, -1) : (kind ?? "");
      const query = pages[kinds][subject === undefined ? 0 : 1];
      return store.all(query({ after, limit, kind: from, to: `${from}\uffff`, subject: subject ?? "" }));
    },
    async head() {
      return (await store.one(readHead({})))?.sequence ?? 0;
    },
    next(after, signal) {
      if (head > after || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener("abort", wake);
      });
    },
    async verify() {
      let before = "";
      let checked = 0;
      const broken = (problem: string): VerificationResult => ({ intact: false, checked, problem });
      for (;;) {
        const end = await store.one(readHead({}));
        if (!end || !isSealed(key, end)) return broken("The head of the log was changed or removed.");
        if (end.sequence < head) return broken(`The log was cut off: it had ${head} events.`);
        // Rows and head are written together, so the head covers everything read in the last round.
        if (end.sequence < checked) return broken(`Event ${checked} is after the end of the log.`);
        const rows = await store.all(
          pages.any[0]({ after: checked, limit: 1000, kind: "", to: "", subject: "" }),
        );
        if (rows.length === 0) {
          if (checked < end.sequence) return broken(`Event ${checked + 1} was removed.`);
          return before === end.hash ? { intact: true, checked } : broken(`Event ${checked} was changed.`);
        }
        for (const { sequence, id, kind, subject, body, hash } of rows) {
          if (sequence !== checked + 1) return broken(`Event ${checked + 1} was removed.`);
          const changed = () => broken(`Event ${sequence} was changed.`);
          if (link(key, before, sequence, body) !== hash) return changed();
          const event = JSON.parse(body) as { id: string; kind: string; subject: string };
          if (event.id !== id || event.kind !== kind || event.subject !== subject) return changed();
          before = hash;
          checked = sequence;
        }
        // Yield, so that verifying a long log does not block requests.
        await new Promise((next) => setImmediate(next));
      }
    },
    seal: sealAndNotify,
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const wake of waiting) wake();
      await sealer.seal().catch(onError);
    },
  };
}
