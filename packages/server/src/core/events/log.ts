import { counted } from "@lakehelm/contract/text";
import type { RetentionSource } from "../retention/retention.ts";
import { isInKeyring, storedOnce } from "../secrets/keyring.ts";
import { createNews } from "../store/other-servers.ts";
import type { ChangeContext, Store } from "../store/store.ts";
import { type System, serverContext } from "../system.ts";
import { type AnchorPlaces, changedAnchor, createAnchorWriter, missingAnchor } from "./anchor-writer.ts";
import { createUnsealedEvents, eventKey } from "./chain.ts";
import { createEventRetention, type EventRetentionOptions } from "./event-retention.ts";
import { createLogHead } from "./head.ts";
import {
  acknowledgedKind,
  type LogProblem,
  logSubject,
  type ProblemReason,
  problemEvent,
} from "./problem.ts";
import { createSealer } from "./sealer.ts";
import { createLogStart } from "./start.ts";
import { type SealedEvent, type VerificationResult, verifyLog } from "./verification.ts";

/** `kind` may end in `.*`: then it is a prefix. */
export interface Filter {
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
}

export interface EventLog {
  read(after: number, limit: number, filter: Filter): Promise<SealedEvent[]>;
  /** The sequence of the last sealed event. */
  head(): Promise<number>;
  /** The sequence of the last event that retention has removed. 0: none. */
  removedThrough(): Promise<number>;
  /** Resolves when there may be events after `after`, or when the signal aborts. */
  next(after: number, signal: AbortSignal): Promise<void>;
  verify(): Promise<VerificationResult>;
  /** Removes old events. */
  retention(options: EventRetentionOptions): RetentionSource;
  /** Records that an admin knows the problems found so far. Then `verify` reports only later ones. */
  acknowledge(context: ChangeContext, reason: string): Promise<void>;
  /** Counters since the start. */
  stats(): LogStats;
  /** Seals every event that is committed by now. */
  seal(): Promise<void>;
  close(): Promise<void>;
}

export interface LogStats {
  readonly problems: number;
  readonly anchored: number;
  readonly anchorFailures: number;
}

export interface LogOptions {
  readonly key: Buffer;
  readonly system: Pick<System, "now">;
  /** Undefined: the log can be compared only with what the database itself holds. */
  readonly anchors?: AnchorPlaces | undefined;
  /** Delay between a commit and sealing: batches a burst of changes. */
  readonly gatherMs: number;
  /** Poll interval for events of other servers; undefined if there are none. */
  readonly pollMs: number | undefined;
  /** Delay before sealing is retried after a failure (full disk, lost database). */
  readonly retryMs?: number;
  /** Delay between sealing and the write of the anchor: at most one per second. */
  readonly anchorMs?: number;
  readonly onError: (error: unknown) => void;
  /** Called when someone has tampered with the log. */
  readonly onProblem: (problem: LogProblem) => void;
}

/** Problems that only a verification finds. The rows keep showing them, so no event has to remember them. */
const unrepairable: ReadonlySet<ProblemReason> = new Set([
  "event_changed",
  "event_removed",
  "after_end",
  "start_changed",
]);

/** The delay between a commit of another server and a look at what it has sealed. */
const followMs = 100;

interface FoundProblem {
  readonly found: LogProblem;
  /** True once the event about the problem is committed. */
  isRecorded: boolean;
}

export function openEventLog(
  store: Store,
  {
    key: bytes,
    system,
    anchors,
    gatherMs,
    pollMs,
    retryMs = 1000,
    anchorMs = 1000,
    onError,
    onProblem,
  }: LogOptions,
): EventLog {
  const key = eventKey(bytes);
  const context = () => serverContext(system);
  const unsealed = createUnsealedEvents();
  const waiting = new Set<() => void>();
  let problems: FoundProblem[] = [];
  let problemCount = 0;
  /** The last finding of a verification, so that a repeated one is logged and counted once. */
  let verdictFound = "";
  let timer: NodeJS.Timeout | undefined;
  let anchorTimer: NodeJS.Timeout | undefined;
  let last = 0;
  let failing = false;
  let closed = false;

  /** Keeps a problem in the anchor until its event is sealed. */
  function report(found: LogProblem, isRecorded = false): void {
    problems.push({ found, isRecorded });
    problemCount += 1;
    onProblem(found);
    void anchor?.write();
    sealIn(gatherMs);
  }

  const start = createLogStart(store, key);
  const head = createLogHead(store, key, start, report);
  const sealer = createSealer(store, { key, head, start, unsealed, context, report });
  const anchor =
    anchors &&
    createAnchorWriter(anchors, {
      key,
      position: () => head.trusted,
      problems: () => problems.map(({ found }) => found),
      now: system.now,
      report,
      onError,
    });

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

  function anchorSoon(): void {
    if (!anchor || anchorTimer || closed) return;
    anchorTimer = setTimeout(async () => {
      anchorTimer = undefined;
      if (!(await anchor.write())) anchorSoon();
    }, anchorMs).unref();
  }

  /** Compares the log with its anchor, once, before anything is sealed. */
  async function compareAnchors(): Promise<void> {
    await head.upgrade();
    if (!anchors || !anchor) return;
    const name = `event anchor/${anchors.server}`;
    const found = await anchor.read();
    if (found.state === "read") {
      head.trust(found.anchor);
      for (const problem of found.anchor.problems) report(problem);
    }
    if (found.state === "changed") report(changedAnchor);
    if (found.state === "missing" && (await isInKeyring(store, name))) report(missingAnchor);
    await head.current();
    await compareRemote();
    await anchor.write();
    await storedOnce(store, name, "written");
  }

  /** The receiver may be unavailable: the server starts anyway, and `verify` asks again. */
  async function compareRemote(): Promise<void> {
    const found = await anchor?.readRemote().catch(onError);
    if (found?.state !== "read" || found.anchor.sequence <= (head.trusted?.sequence ?? 0)) return;
    const { sequence, hash } = found.anchor;
    report({
      reason: "cut_off",
      problem: `The log was cut off: it had ${counted(sequence, "event")}.`,
      details: { expected: { sequence, hash }, found: head.trusted },
    });
  }

  let started: Promise<void> | undefined;
  const startOnce = (): Promise<void> => {
    started ??= compareAnchors().catch((error) => {
      started = undefined;
      throw error;
    });
    return started;
  };

  async function writeProblems(): Promise<void> {
    for (const one of problems) {
      if (one.isRecorded) continue;
      await store.apply({ context: context(), steps: [], events: [problemEvent(one.found)] });
      one.isRecorded = true;
    }
  }

  let recording: Promise<void> | undefined;
  /** Commits an event for each problem that has none yet: once each, however many callers seal. */
  function recordProblems(): Promise<void> {
    recording ??= writeProblems().finally(() => {
      recording = undefined;
    });
    return recording;
  }

  async function sealOnce(): Promise<void> {
    await startOnce();
    do {
      await recordProblems();
      const recorded = new Set(problems.filter(({ isRecorded }) => isRecorded));
      await sealer.seal();
      await head.current();
      if (recorded.size === 0) continue;
      problems = problems.filter((one) => !recorded.has(one));
      anchorSoon();
    } while (problems.length > 0);
  }

  async function sealAndNotify(): Promise<void> {
    try {
      await sealOnce();
      failing = false;
      const now = head.trusted?.sequence ?? 0;
      if (now === last) return;
      last = now;
      anchorSoon();
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

  store.onEvents((rows) => {
    unsealed.add(rows);
    sealIn(gatherMs);
  });
  // A crash may have left committed events unsealed.
  sealIn(0);
  const { others } = store.engine;
  const hasNews = others ? createNews(store.engine) : () => true;
  const poll =
    pollMs === undefined ? undefined : setInterval(() => hasNews() && void sealAndNotify(), pollMs).unref();
  // The server that wrote an event seals it; this one only follows, or seals after a crash of the other.
  others?.onWritten(() => sealIn(followMs));

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
      return (await head.read())?.sequence ?? 0;
    },
    async removedThrough() {
      return (await start.read())?.sequence ?? 0;
    },
    next(after, signal) {
      if (last > after || signal.aborted) return Promise.resolve();
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
      await startOnce().catch(onError);
      // A receiver that is unavailable says nothing about the log.
      const states = [await anchor?.read(), (await anchor?.readRemote().catch(onError)) ?? undefined];
      // A problem whose event is sealed during the verification may be missing both in the rows read and in the later
      // list.
      const known = problems;
      const verdict = await verifyLog({
        key,
        readHead: head.read,
        readStart: start.read,
        readAfter: (after) => store.all(pages.any[0]({ after, limit: 1000, kind: "", to: "", subject: "" })),
        trusted: () => head.trusted,
        anchors: states.flatMap((found) => (found?.state === "read" ? [found.anchor] : [])),
        problems: () => [...known, ...problems].map(({ found }) => found),
      });
      if (!verdict.intact && unrepairable.has(verdict.reason) && verdict.problem !== verdictFound) {
        verdictFound = verdict.problem;
        problemCount += 1;
        onProblem(verdict);
      }
      const wrong = states.find((found) => found && found.state !== "read");
      if (!wrong || !verdict.intact) return verdict;
      const { reason, problem } = wrong.state === "missing" ? missingAnchor : changedAnchor;
      return { intact: false, checked: verdict.checked, reason, problem };
    },
    retention: (options) =>
      createEventRetention(
        store,
        {
          key,
          start,
          seal: sealOnce,
          readAfter: (after, limit) =>
            store.all(pages.any[0]({ after, limit, kind: "", to: "", subject: "" })),
        },
        options,
      ),
    async acknowledge(context, reason) {
      await sealAndNotify();
      const event = { kind: acknowledgedKind, subject: logSubject, data: { reason } };
      await store.apply({ context, steps: [], events: [event] });
      await sealAndNotify();
      await anchor?.write();
    },
    stats: () => ({
      problems: problemCount,
      anchored: anchor?.sequence() ?? 0,
      anchorFailures: anchors?.remote?.failures() ?? 0,
    }),
    seal: sealAndNotify,
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const wake of waiting) wake();
      await sealOnce().catch(onError);
      clearTimeout(anchorTimer);
      await anchor?.write();
      await anchor?.close();
    },
  };
}

export type { SealedEvent } from "./verification.ts";
