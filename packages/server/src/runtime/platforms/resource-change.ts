import { eventChanges } from "../../core/changes/event-changes.ts";
import { type Collection, requireVersion, type Stored, textOf } from "../../core/store/collection.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import type { DomainEvent, Step, Store } from "../../core/store/store.ts";
import type { PlatformOutcome } from "./platform.ts";
import type { PlatformRequestKind } from "./platform-request.ts";
import { type SubmittedRequest, settled } from "./platform-requests.ts";

/** The decision of a rule: the document to write, the request to the platform, and the event. */
interface Decided<Doc> {
  readonly next: Pick<Stored<Doc>, "doc"> & Partial<Pick<Stored<Doc>, "key" | "state" | "sealed">>;
  readonly submitted?: SubmittedRequest | undefined;
  /** The error for the caller if the key is taken. */
  readonly taken: () => Error;
  readonly events: readonly DomainEvent[];
}

/** Changes a resource and its platform together. */
export interface ResourceChange<Doc> {
  /**
   * Reads, lets the rule decide, and writes the result together with the request; undefined: there is nothing to
   * change.
   */
  change(
    id: string,
    call: ChangeRequest & Partial<CreateRequest>,
    decide: (before: Stored<Doc>) => Promise<Decided<Doc> | undefined>,
  ): Promise<Stored<Doc>>;
  remove(
    id: string,
    call: ChangeRequest,
    decide: (
      before: Stored<Doc>,
    ) => Promise<Pick<Decided<Doc>, "submitted" | "events"> & { readonly steps?: readonly Step[] }>,
  ): Promise<Doc>;
  /** If the platform responds later, waits for the outcome and reads the updated resource. */
  awaitOutcome(stored: Stored<Doc>, submitted: SubmittedRequest | undefined): Promise<Stored<Doc>>;
}

/** Events name their resource and its environment: both may be gone when the events are read. */
export const namedEvents = <Doc extends { readonly name: string }>(
  events: readonly DomainEvent[],
  { doc, environmentId }: Pick<Stored<Doc>, "doc" | "environmentId">,
): DomainEvent[] =>
  events.map((event) => ({
    ...event,
    data: { name: doc.name, environment_id: environmentId, ...event.data },
  }));

/** The event of an update says what it changed. */
const withChanges = <Doc extends object>(
  events: readonly DomainEvent[],
  before: Pick<Stored<Doc>, "doc">,
  after: Pick<Stored<Doc>, "doc">,
): DomainEvent[] =>
  events.map((event) =>
    event.kind.endsWith(".updated")
      ? { ...event, data: { ...event.data, ...eventChanges(before.doc, after.doc) } }
      : event,
  );

export function createResourceChange<Doc extends { readonly name: string }>(
  store: Store,
  rows: Collection<Doc>,
  read: (id: string) => Promise<Stored<Doc>>,
): ResourceChange<Doc> {
  async function awaitOutcome(
    stored: Stored<Doc>,
    submitted: SubmittedRequest | undefined,
  ): Promise<Stored<Doc>> {
    if (!submitted || submitted.outcome) return stored;
    await settled(submitted);
    return read(stored.id);
  }

  return {
    async change(id, { context, expectedVersion, saveAnswer }, decide) {
      const { stored, submitted } = await store.retryOnConflict(async () => {
        const before = await read(id);
        requireVersion(before, expectedVersion);
        const decided = await decide(before);
        if (!decided) return { stored: before, submitted: undefined };
        const { next, submitted, taken, events } = decided;
        const after = { ...before, ...next, version: before.version + 1 };
        const steps: Step[] = [
          ...(saveAnswer?.(textOf(after.doc), after.version) ?? []),
          ...rows.update(before, after, { duplicate: taken }),
          ...(submitted?.steps ?? []),
        ];
        await store.apply({ context, steps, events: withChanges(namedEvents(events, after), before, after) });
        return { stored: after, submitted: submitted };
      });
      return awaitOutcome(stored, submitted);
    },
    async remove(id, { context, expectedVersion }, decide) {
      const { removed, submitted } = await store.retryOnConflict(async () => {
        const before = await read(id);
        requireVersion(before, expectedVersion);
        const { submitted, events, steps = [] } = await decide(before);
        await store.apply({
          context,
          steps: [...rows.remove(before), ...(submitted?.steps ?? []), ...steps],
          events: namedEvents(events, before),
        });
        return { removed: before.doc, submitted: submitted };
      });
      if (submitted) await settled(submitted);
      return removed;
    },
    awaitOutcome,
  };
}

/** The fields of a resource that show the state of its job. */
interface InstalledResource {
  readonly status: "created" | "active" | "warning" | "failing" | "paused" | "failed";
  readonly workflow_id: string | null;
  readonly error_message: string | null;
}

/** Applies the platform's outcome to the resource. A refusal leaves it failed, never lost. */
export function applyOutcome<Doc extends InstalledResource>(
  doc: Doc,
  kind: PlatformRequestKind,
  outcome: PlatformOutcome,
): Doc {
  if (!outcome.done) return { ...doc, status: "failed", error_message: outcome.reason };
  if (kind !== "job.install") return doc;
  return {
    ...doc,
    status: doc.status === "paused" ? "paused" : "active",
    workflow_id: outcome.reference ?? doc.workflow_id,
    error_message: null,
  };
}
