import type { Drift } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { collection, type JoinedPage, keyOf, textOf } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { SearchScope } from "../../core/store/list-search.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import { type DomainEvent, type Step, subjectKind } from "../../core/store/store.ts";
import { serverContext } from "../../core/system.ts";
import { parsed } from "../../runtime/jobs/job-rows.ts";
import type { Comparison, Difference, DriftSource, KnownDifference } from "./source.ts";

export interface DriftRules {
  page(scope: SearchScope, request: ListRequest): Promise<JoinedPage<Drift>>;
  /** The id of its environment, in a list; undefined if it does not exist. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  /** Compares one environment now. */
  check(environmentId: string, signal: AbortSignal): Promise<CheckResult>;
  /** Compares all environments of all sources. Returns the errors of those that could not be compared. */
  checkAll(signal: AbortSignal): Promise<Error[]>;
  adopt(id: string, call: ChangeRequest): Promise<Settlement>;
  revert(id: string, call: ChangeRequest): Promise<Settlement>;
  /** For the transaction that deletes an environment: what is known about it goes with it. */
  removalIn(environmentId: string): Promise<Step[]>;
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

/** More than anyone reads; one environment cannot fill the database. */
const mostDifferences = 5_000;
/** A longer value is shown as the beginning of its text. */
const longestValue = 4_000;

/** The differences that are known. Rows exist only while the difference does. */
export function createDrift(
  { store, vault, system }: Dependencies,
  sources: readonly DriftSource[],
): DriftRules {
  const rows = collection<Drift>(store, "drift");
  const maps = createEncryptedMaps(vault);
  const inEnvironment = store.prepare((db, v: { environment_id: string }) =>
    db.selectFrom("drift").select(["key", "doc"]).where("environment_id", "=", v.environment_id),
  );

  async function knownIn(environmentId: string): Promise<Map<string, Drift>> {
    const found = await store.all(inEnvironment({ environment_id: environmentId }));
    return new Map(found.map(({ key, doc }) => [key, parsed(doc) as Drift]));
  }

  /** Secrets that somebody has put there are not shown here. */
  function shown(field: string | null, value: unknown): unknown {
    if (value === undefined || value === null) return null;
    const key = field?.split(".").at(-1) ?? "value";
    const masked = maps.reseal({ masked: { [key]: value }, sealed: null }).masked[key];
    const text = encodeJson(masked);
    return text.length <= longestValue ? masked : `${text.slice(0, longestValue).toWellFormed()}…`;
  }

  const driftOf = (
    { subject, name, change, field, declared, live, adoption, by }: Difference,
    source: DriftSource["name"],
    environmentId: string,
  ): Omit<Drift, "id" | "since"> => ({
    environment_id: environmentId,
    resource: subject,
    kind: subjectKind(subject) as Drift["kind"],
    name,
    seen_in: source,
    change,
    field,
    declared: shown(field, declared),
    live: shown(field, live),
    ...(by !== undefined && by !== null && { changed_by: by }),
    adopt_problem: "problem" in adoption ? adoption.problem : null,
  });

  /** Makes the rows what a comparison found. Nothing is written if nothing has changed. */
  const record = (source: DriftSource["name"], environmentId: string, comparison: Comparison) =>
    store.retryOnConflict(async () => {
      const context = serverContext(system);
      const left = new Map(
        [...(await knownIn(environmentId))].filter(([, { seen_in }]) => seen_in === source),
      );
      const steps: Step[] = [];
      const found: Drift[] = [];
      const differences = comparison.differences.slice(0, mostDifferences);
      for (const difference of differences) {
        const key = keyOf(source, difference.subject, difference.field ?? "");
        const before = left.get(key);
        left.delete(key);
        const doc: Drift = {
          id: before?.id ?? system.newId(),
          ...driftOf(difference, source, environmentId),
          since: before?.since ?? context.time,
        };
        const state = "change" in difference.adoption ? encodeJson(difference.adoption.change) : null;
        if (!before) {
          found.push(doc);
          steps.push(
            ...rows.insert({ id: doc.id, key, doc, environmentId, owner: null, state, sealed: null }),
          );
        } else if (textOf(doc) !== encodeJson(before)) {
          const stored = await rows.get(before.id);
          if (stored) steps.push(...rows.update(stored, { doc, state }));
        }
      }
      const ended = [...left.values()].filter(({ resource }) => !comparison.undecided.has(resource));
      for (const { id } of ended) steps.push(...(await removal(id)));
      if (steps.length > 0)
        await store.apply({
          context,
          steps,
          events: [...eventsOf("drift.found", found), ...eventsOf("drift.ended", ended)],
        });
      return { differences: differences.length, undecided: comparison.undecided.size };
    });

  async function removal(id: string): Promise<Step[]> {
    const stored = await rows.get(id);
    return stored ? rows.remove(stored) : [];
  }

  /** Somebody has made a resource again what it should be. */
  const settle = (
    source: DriftSource["name"],
    environmentId: string,
    subject: string,
    isKept: (field: string | null) => boolean,
  ): Promise<void> =>
    store.retryOnConflict(async () => {
      const ended = [...(await knownIn(environmentId)).values()].filter(
        ({ seen_in, resource, field }) => seen_in === source && resource === subject && !isKept(field),
      );
      if (ended.length === 0) return;
      const steps = await Promise.all(ended.map(({ id }) => removal(id)));
      const context = serverContext(system);
      await store.apply({ context, steps: steps.flat(), events: eventsOf("drift.ended", ended) });
    });

  for (const source of sources) {
    source.onSettled?.((environmentId, subject, isKept) =>
      settle(source.name, environmentId, subject, isKept),
    );
  }

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
    async removalIn(environmentId) {
      const found = await knownIn(environmentId);
      const steps = await Promise.all([...found.values()].map(({ id }) => removal(id)));
      return steps.flat();
    },
  };
}

/** One event for each resource. */
function eventsOf(kind: string, drifts: readonly Drift[]): DomainEvent[] {
  const bySubject = Map.groupBy(drifts, ({ resource }) => resource);
  return [...bySubject].map(([subject, some]) => ({
    kind,
    subject,
    data: {
      name: some[0]?.name,
      environment_id: some[0]?.environment_id,
      seen_in: some[0]?.seen_in,
      fields: some.map(({ field }) => field ?? "all of it"),
    },
  }));
}
