import type { Logger } from "pino";
import type { Dependencies } from "../../../core/dependencies.ts";
import { Problem, unavailable } from "../../../core/errors.ts";
import type { Outbox } from "../../../core/outbox/outbox.ts";
import { completed, Deferred, handlerOf, type OutboxHandlers, topic } from "../../../core/outbox/topic.ts";
import type { ChangeContext, Step } from "../../../core/store/store.ts";
import type { PlatformOutcome } from "../platform.ts";
import type { PlatformRequest } from "../platform-request.ts";

const searchTopic = topic<{ readonly request: PlatformRequest; readonly dueAt: string }>("databricks.search");

/**
 * Milliseconds after a request: a create without an answer was seen to be carried out within seconds; these are far
 * more.
 */
const searchedAfterMs = [60_000, 600_000];

interface LateSearchOptions {
  readonly outbox: () => Pick<Outbox, "add">;
  /** Removes what a create of the resource made besides what is recorded. */
  readonly removeLate: (request: PlatformRequest) => Promise<void>;
  readonly log: Pick<Logger, "warn">;
}

export interface LateSearches {
  /** For the change that records an outcome: searches, if a create may still be on its way. */
  steps(request: PlatformRequest, outcome: PlatformOutcome, context: ChangeContext): readonly Step[];
  readonly handlers: OutboxHandlers;
}

/**
 * A create without an answer may be carried out after the search for its mark, and even after its resource was deleted.
 * So the server searches for the mark again later. The searches are outbox entries: they survive a restart.
 */
export function createLateSearches(
  { system }: Pick<Dependencies, "system">,
  { outbox, removeLate, log }: LateSearchOptions,
): LateSearches {
  const started = system.now().getTime();

  /** The request waited, an earlier attempt had no answer, or an earlier process may have sent a create. */
  function isOld({ id }: PlatformRequest): boolean {
    const made = timeOf(id);
    return made < started || system.now().getTime() - made > 5_000;
  }

  function mayBeLate(request: PlatformRequest, outcome: PlatformOutcome): boolean {
    switch (request.kind) {
      case "job.install":
      case "pipeline.install":
        // Without a reference, the resource was deleted while it was installed.
        return outcome.done && (outcome.reference === null || isOld(request));
      case "component.stop":
        return request.data.component === "agent_endpoint";
      case "component.remove":
        return true;
      default:
        return false;
    }
  }

  return {
    steps(request, outcome, { time }) {
      if (!mayBeLate(request, outcome)) return [];
      return searchedAfterMs.map((ms) =>
        outbox().add(searchTopic, {
          id: system.newId(),
          key: `databricks.search/${request.environmentId}/${request.subject}`,
          environmentId: null,
          payload: { request, dueAt: new Date(Date.parse(time) + ms).toISOString() },
        }),
      );
    },
    handlers: handlerOf(searchTopic, {
      async perform({ payload: { request, dueAt } }) {
        const left = Date.parse(dueAt) - system.now().getTime();
        if (left > 0) throw new Deferred(unavailable("It is not time to search yet."), left);
        try {
          await removeLate(request);
        } catch (error) {
          // The environment is gone, or has no workspace any more: there is nowhere to search.
          if (!(error instanceof Problem)) throw error;
          log.warn({ err: error }, "a workspace could not be searched for what was made late");
        }
        return completed(undefined);
      },
    }),
  };
}

/** A request's id begins with the milliseconds at which it was made. */
const timeOf = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
