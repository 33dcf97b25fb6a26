import { counted } from "@lakehelm/contract/text";
import type { Anchor } from "./anchor.ts";
import { type ChainPosition, type EventKey, type Head, isSealed, link, type Start } from "./chain.ts";
import { acknowledgedKind, type LogProblem, type ProblemReason, problemKind } from "./problem.ts";

/** A sealed event: its sequence in the log, and its text as committed with the change. */
export interface SealedEvent {
  readonly sequence: number;
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  readonly hash: string;
}

export type VerificationResult =
  | { readonly intact: true; readonly checked: number }
  | {
      readonly intact: false;
      readonly checked: number;
      readonly reason: ProblemReason;
      readonly problem: string;
    };

export interface VerificationOptions {
  readonly key: EventKey;
  readonly readHead: () => Promise<Head | undefined>;
  /** Where the log begins; undefined if that row was tampered with. */
  readonly readStart: () => Promise<Start | undefined>;
  readonly readAfter: (sequence: number) => Promise<SealedEvent[]>;
  /** The last position that this server knows. */
  readonly trusted: () => ChainPosition | undefined;
  readonly anchors: readonly Anchor[];
  /** Problems that are not events of the log yet. */
  readonly problems: () => readonly LogProblem[];
}

/** Checks every event, the head, and the anchors. Then reports the oldest problem that no admin has acknowledged. */
export async function verifyLog(options: VerificationOptions): Promise<VerificationResult> {
  const { key, readHead, readStart, readAfter, trusted, anchors, problems } = options;
  let before = "";
  let at = 0;
  let checked = 0;
  let open: LogProblem | undefined;
  const broken = (reason: ProblemReason, problem: string): VerificationResult => ({
    intact: false,
    checked,
    reason,
    problem,
  });
  /** Continues where the log begins, if that is after `at`: retention may remove events during the verification. */
  async function skipRemoved(): Promise<boolean | VerificationResult> {
    const start = await readStart();
    if (!start) return broken("start_changed", "The beginning of the log was changed or removed.");
    if (anchors.some(({ sequence, hash }) => sequence === start.sequence && hash !== start.hash))
      return broken("replaced", `The log was replaced: event ${start.sequence} is another one.`);
    if (start.sequence <= at) return false;
    at = start.sequence;
    before = start.hash;
    return true;
  }
  const first = await skipRemoved();
  if (typeof first === "object") return first;
  for (;;) {
    const known = Math.max(trusted()?.sequence ?? 0, ...anchors.map(({ sequence }) => sequence));
    const end = await readHead();
    if (!end || !isSealed(key, end))
      return broken("head_changed", "The head of the log was changed or removed.");
    if (end.sequence < known)
      return broken("cut_off", `The log was cut off: it had ${counted(known, "event")}.`);
    // Rows and head are written together, so the head covers everything read in the last round.
    if (end.sequence < at) return broken("after_end", `Event ${at} is after the end of the log.`);
    const rows = await readAfter(at);
    const isGap = rows[0] ? rows[0].sequence !== at + 1 : at < end.sequence;
    if (isGap) {
      const skipped = await skipRemoved();
      if (typeof skipped === "object") return skipped;
      if (skipped) continue;
      return broken("event_removed", `Event ${at + 1} was removed.`);
    }
    if (rows.length === 0) {
      if (before !== end.hash) return broken("event_changed", `Event ${at} was changed.`);
      const found = open ?? problems()[0];
      return found ? broken(found.reason, found.problem) : { intact: true, checked };
    }
    for (const { sequence, id, kind, subject, body, hash } of rows) {
      if (sequence !== at + 1) return broken("event_removed", `Event ${at + 1} was removed.`);
      const changed = () => broken("event_changed", `Event ${sequence} was changed.`);
      if (link(key, before, sequence, body) !== hash) return changed();
      const event = JSON.parse(body) as { id: string; kind: string; subject: string; data: LogProblem };
      if (event.id !== id || event.kind !== kind || event.subject !== subject) return changed();
      if (anchors.some((anchor) => anchor.sequence === sequence && anchor.hash !== hash))
        return broken("replaced", `The log was replaced: event ${sequence} is another one.`);
      if (kind === problemKind) open ??= event.data;
      if (kind === acknowledgedKind) open = undefined;
      before = hash;
      at = sequence;
      checked += 1;
    }
    // Yield, so that verifying a long log does not block requests.
    await new Promise((next) => setImmediate(next));
  }
}
