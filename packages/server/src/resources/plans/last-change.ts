import type { PlanKind } from "@lakehelm/contract";
import type { EventHistory } from "../../core/events/history.ts";

interface NamedResource {
  readonly environmentId: string;
  readonly kind: PlanKind;
  readonly name: string;
  /** Undefined: the resource is gone. */
  readonly subject: string | undefined;
}

interface LastChange {
  readonly actor: string;
  readonly time: string;
}

/** Who made the last change of a resource, by the event log; null: not known. The newest events must be sealed. */
export async function lastChangeOf(
  history: Pick<EventHistory, "page">,
  { environmentId, kind, name, subject }: NamedResource,
  { ofPlans }: { readonly ofPlans: boolean },
): Promise<LastChange | null> {
  const pages = filtersOf(kind, subject).map((filter) =>
    history.page(Number.MAX_SAFE_INTEGER, maxEvents, true, filter),
  );
  const events = (await Promise.all(pages)).flat().sort((a, b) => b.sequence - a.sequence);
  for (const event of events) {
    const { actor, time, data } = JSON.parse(event.body) as LastChange & {
      readonly data: Readonly<Record<string, unknown>>;
    };
    if ((!ofPlans && data.plan_id !== undefined) || !changing.test(event.kind)) continue;
    if ((data.environment_id ?? environmentId) !== environmentId) continue;
    if (event.subject === subject || (data.alias ?? data.name) === name) return { actor, time };
  }
  return null;
}

const maxEvents = 100;
/** Kinds of events that may change a definition. */
const changing = /\.(?:created|updated|deleted|dataset_\w+|version_\w+|release_activated|release_deleted)$/;

/**
 * Filters that find the events about a resource. Automations are not found by id: a plan has the id of their release.
 */
function filtersOf(kind: PlanKind, subject: string | undefined) {
  if (kind !== "automation") return [subject === undefined ? { kind: `${kind}.deleted` } : { subject }];
  const kinds = subject === undefined ? ["deleted", "release_deleted"] : ["updated", "release_activated"];
  return kinds.map((one) => ({ kind: `automation.${one}` }));
}
