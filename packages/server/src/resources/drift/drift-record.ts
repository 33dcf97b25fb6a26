import type { Drift } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { type Collection, collection, keyOf, textOf } from "../../core/store/collection.ts";
import { type DomainEvent, type Step, subjectKind } from "../../core/store/store.ts";
import { serverContext } from "../../core/system.ts";
import { parsed } from "../../runtime/jobs/job-rows.ts";
import type { Comparison, Difference, DriftSource } from "./source.ts";

/** The differences that are known. Rows exist only while the difference does. */
export interface DriftRecord {
  readonly rows: Collection<Drift>;
  /** By source, resource and field. */
  knownIn(environmentId: string): Promise<Map<string, Drift>>;
  /** Makes the rows what a comparison found. Nothing is written if nothing has changed. */
  record(
    source: DriftSource["name"],
    environmentId: string,
    comparison: Comparison,
  ): Promise<{ readonly differences: number; readonly undecided: number }>;
  /** Somebody has made a resource again what it should be, except the fields to keep. */
  settle(
    source: DriftSource["name"],
    environmentId: string,
    subject: string,
    isKept: (field: string | null) => boolean,
  ): Promise<void>;
  /** For the transaction that deletes an environment: what is known about it goes with it. */
  removalIn(environmentId: string): Promise<Step[]>;
}

/** More than anyone reads; one environment cannot fill the database. */
const mostDifferences = 5_000;
/** A longer value is shown as the beginning of its text. */
const longestValue = 4_000;

/** Built before what settles differences: the platforms, and the resources of projects. */
export function createDriftRecord({ store, vault, system }: Dependencies): DriftRecord {
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

  const record: DriftRecord["record"] = (source, environmentId, comparison) =>
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

  const settle: DriftRecord["settle"] = (source, environmentId, subject, isKept) =>
    store.retryOnConflict(async () => {
      const ended = [...(await knownIn(environmentId)).values()].filter(
        ({ seen_in, resource, field }) => seen_in === source && resource === subject && !isKept(field),
      );
      if (ended.length === 0) return;
      const steps = await Promise.all(ended.map(({ id }) => removal(id)));
      const context = serverContext(system);
      await store.apply({ context, steps: steps.flat(), events: eventsOf("drift.ended", ended) });
    });

  return {
    rows,
    knownIn,
    record,
    settle,
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
