import { type Collection, requireVersion, type Stored, textOf } from "../../core/store/collection.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type DomainEvent, retryOnConflict, type Step, type Store } from "../../core/store/store.ts";
import type { PlatformOutcome } from "./platform.ts";
import type { PlatformRequestKind } from "./platform-request.ts";
import type { SubmittedRequest } from "./platform-requests.ts";

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
    decide: (before: Stored<Doc>) => Promise<Pick<Decided<Doc>, "submitted" | "events">>,
  ): Promise<Doc>;
  /** If the platform responds later, waits for the outcome and reads the updated resource. */
  awaitOutcome(stored: Stored<Doc>, submitted: SubmittedRequest | undefined): Promise<Stored<Doc>>;
}

export function createResourceChange<Doc>(
  store: Store,
  rows: Collection<Doc>,
  read: (id: string) => Promise<Stored<Doc>>,
): ResourceChange<Doc> {
  async function awaitOutcome(
    stored: Stored<Doc>,
    submitted: SubmittedRequest | undefined,
  ): Promise<Stored<Doc>> {
    if (!submitted || submitted.outcome) return stored;
    await submitted.finish();
    return read(stored.id);
  }

  return {
    async change(id, { context, expectedVersion, saveAnswer }, decide) {
      const { stored, submitted } = await retryOnConflict(async () => {
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
        await store.apply({ context, steps, events });
        return { stored: after, submitted: submitted };
      });
      return awaitOutcome(stored, submitted);
    },
    async remove(id, { context, expectedVersion }, decide) {
      const { removed, submitted } = await retryOnConflict(async () => {
        const before = await read(id);
        requireVersion(before, expectedVersion);
        const { submitted, events } = await decide(before);
        await store.apply({ context, steps: [...rows.remove(before), ...(submitted?.steps ?? [])], events });
        return { removed: before.doc, submitted: submitted };
      });
      await submitted?.finish();
      return removed;
    },
    awaitOutcome,
  };
}

/** The fields of a resource that show the state of its job. */
interface InstalledResource {
  readonly status: "created" | "active" | "paused" | "failed";
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
