import type { Drift } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import type { JoinedPage } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { SearchScope } from "../../core/store/list-search.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import { parsed } from "../../runtime/jobs/job-rows.ts";
import type { DriftRecord } from "./drift-record.ts";
import type { DriftSource, KnownDifference } from "./source.ts";

export interface DriftRules {
  page(scope: SearchScope, request: ListRequest): Promise<JoinedPage<Drift>>;
  /** The id of the environment of a difference, in a list; undefined if there is no such difference. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  /** Compares one environment now. */
  check(environmentId: string, signal: AbortSignal): Promise<CheckResult>;
  /** Compares all environments of all sources. Returns the errors of environments that could not be compared. */
  checkAll(signal: AbortSignal): Promise<Error[]>;
  adopt(id: string, call: ChangeRequest): Promise<Settlement>;
  revert(id: string, call: ChangeRequest): Promise<Settlement>;
}

interface CheckResult {
  readonly differences: number;
  readonly undecided: number;
}

/** The difference, and whether it has ended: a platform that is unavailable ends it later. */
interface Settlement {
  readonly drift: Drift;
  readonly isDone: boolean;
}

/** Compares what was declared with what is there, and lets callers adopt or revert what differs. */
export function createDrift(
  { store }: Dependencies,
  { rows, knownIn, record }: DriftRecord,
  sources: readonly DriftSource[],
): DriftRules {
  async function known(id: string): Promise<KnownDifference & { readonly source: DriftSource }> {
    const stored = await rows.get(id);
    const source = sources.find(({ name }) => name === stored?.doc.seen_in);
    if (!stored || !source) throw notFound(`There is no difference ${id}. It may have ended.`);
    const { doc: drift, state } = stored;
    const others = [...(await knownIn(drift.environment_id)).values()].filter(
      (other) => other.id !== id && other.resource === drift.resource && other.seen_in === drift.seen_in,
    );
    return {
      source,
      drift,
      adoption: state === null ? undefined : parsed(state),
      others: others.flatMap(({ field }) => field ?? []),
    };
  }

  async function settlement(drift: Drift, kind: string, { context }: ChangeRequest): Promise<Settlement> {
    const { resource, name, environment_id, seen_in, field, declared, live } = drift;
    const data = { name, environment_id, seen_in, field, declared, live };
    await store.apply({ context, steps: [], events: [{ kind, subject: resource, data }] });
    return { drift, isDone: (await rows.get(drift.id)) === undefined };
  }

  return {
    page: (scope, request) => rows.list(scope, request),
    environmentsOf: rows.environmentsOf,
    async check(environmentId, signal) {
      const total = { differences: 0, undecided: 0 };
      for (const source of sources) {
        const comparison = (await source.compare([environmentId], signal)).get(environmentId);
        if (comparison instanceof Error) throw comparison;
        if (!comparison) continue;
        const { differences, undecided } = await record(source.name, environmentId, comparison);
        total.differences += differences;
        total.undecided += undecided;
      }
      return total;
    },
    async checkAll(signal) {
      const errors: Error[] = [];
      for (const source of sources) {
        const comparisons = await source.compare(await source.environments(), signal);
        for (const [environmentId, comparison] of comparisons) {
          if (comparison instanceof Error) errors.push(comparison);
          else await record(source.name, environmentId, comparison);
        }
      }
      return errors;
    },
    async adopt(id, call) {
      const { source, ...difference } = await known(id);
      const { adopt_problem } = difference.drift;
      if (adopt_problem !== null) throw conflict(adopt_problem);
      await source.adopt(difference, call);
      return settlement(difference.drift, "drift.adopted", call);
    },
    async revert(id, call) {
      const { source, ...difference } = await known(id);
      await source.revert(difference, call);
      return settlement(difference.drift, "drift.reverted", call);
    },
  };
}
