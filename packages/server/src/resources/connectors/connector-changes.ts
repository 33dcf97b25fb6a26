import type { Connector, ScheduleOverride } from "@lakehelm/contract";
import { type ConnectorDefinition, connectorConsequences, inEnvironment } from "@lakehelm/contract/changes";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import type { SealedMaps } from "../../core/secrets/encrypted-map.ts";
import type { ScopeLimits } from "../../core/secrets/scope-limits.ts";
import { type Collection, keyOf, type Stored } from "../../core/store/collection.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type DomainEvent, subjectOf } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { KeepsFields, PlatformJobRequest } from "../../runtime/platforms/platform-request.ts";
import type { PlatformRequests, SubmittedRequest } from "../../runtime/platforms/platform-requests.ts";
import { applyOutcome, createResourceChange } from "../../runtime/platforms/resource-change.ts";
import {
  connectorScope,
  fullTableName,
  type TableScope,
  warehouseScope,
} from "../../runtime/platforms/warehouse.ts";
import type { Environments } from "../environments/environments.ts";
import {
  destinationOf,
  isSupported,
  jobOf,
  requireReferencesInCredentials,
  sealConnector,
  secretDestinations,
  withSupportProblem,
} from "./document.ts";
import type { SlotReaders } from "./slot-readers.ts";

/** The result of a change: the next document, and the request to the platform. */
interface ConnectorChange {
  readonly doc: Connector;
  /** The end of the connector's pause; absent: unchanged. */
  readonly pausedUntil?: string | null;
  readonly request?: PlatformJobRequest["kind"];
  /** With `job.pause`: by whom, why and until when. */
  readonly pause?: ScheduleOverride;
  readonly event: Omit<DomainEvent, "subject">;
}

/**
 * Names are unique in an environment. A migration has converted earlier keys, which were only the name, to this form.
 */
export const connectorKey = (environmentId: string, name: string) => `${environmentId}/${keyOf(name)}`;

/** After a change that ends the status `failing`, it is not known whether the connector's runs still fail. */
export function withoutEndedFailure(doc: Connector): Connector {
  if (doc.status === "failing" || doc.failing_since === undefined) return doc;
  const { failing_since: _, ...kept } = doc;
  return kept;
}

/** Whether a run has written a dataset; undefined: its platform does not record that. */
export function writtenTargets({ datasets }: Pick<Connector, "datasets">) {
  const isRecorded = datasets?.some(({ current_watermark_time: time }) => time !== null) ?? false;
  const unwritten = new Set(
    datasets?.flatMap(({ target_name, current_watermark_time: time }) => (time === null ? target_name : [])),
  );
  return (target: string): boolean | undefined => (isRecorded ? !unwritten.has(target) : undefined);
}

/** What the next run does with the tables, for the event. */
function consequencesOf(before: Connector, after: Connector, env: EnvironmentContext) {
  // Most changes leave these fields as they are: then nothing needs to be compared in detail.
  if (declaredFields.every((name) => before[name] === after[name])) return {};
  let scope: TableScope | undefined;
  const consequences = connectorConsequences(declaredPart(before), declaredPart(after), {
    fullName(table, definition) {
      scope ??= warehouseScope(env);
      return fullTableName(table, connectorScope(definition, scope));
    },
    hasRun: writtenTargets(before),
  });
  return consequences.some(({ effect }) => effect !== "none")
    ? { consequences: inEnvironment(consequences, env.environment.name) }
    : {};
}

const declaredFields = ["name", "target_type", "target_config", "datasets"] as const;

const declaredPart = ({ name, target_type, target_config, datasets }: Connector): ConnectorDefinition => ({
  name,
  target_type,
  target_config,
  datasets:
    datasets?.map(({ source_dataset, target_name, primary_keys, write_strategy, custom_config }) => ({
      ...{ source_dataset, target_name, primary_keys, write_strategy, custom_config },
    })) ?? null,
});

export type ConnectorChanges = ReturnType<typeof createConnectorChanges>;

/** Changes a stored connector and its job on the platform together. */
export function createConnectorChanges(
  { store, system }: Dependencies,
  platformRequests: PlatformRequests,
  environments: Environments,
  rows: Collection<Connector>,
  maps: SealedMaps,
  scopes: ScopeLimits,
  slots: SlotReaders,
) {
  const taken =
    (name: string, { environment }: EnvironmentContext) =>
    () =>
      conflict(`There is already a connector named "${name}" in the environment "${environment.name}".`);

  const requestJob = (
    kind: PlatformJobRequest["kind"],
    doc: Connector,
    { environment, platform }: EnvironmentContext,
    pause?: ScheduleOverride,
    kept?: readonly string[],
  ): SubmittedRequest =>
    platformRequests.submit(platform, {
      id: system.newId(),
      environmentId: environment.id,
      kind,
      subject: subjectOf("connector", doc.id),
      data: { ...jobOf(doc, environment), ...(pause && { pause }) },
      ...(kept && { kept }),
    });

  async function read(id: string): Promise<Stored<Connector>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no connector ${id}.`);
    return found;
  }

  const resourceChange = createResourceChange(store, rows, read);

  const change = (
    id: string,
    call: ChangeRequest & Partial<CreateRequest> & KeepsFields,
    decide: (before: Stored<Connector>) => ConnectorChange | undefined,
  ): Promise<Stored<Connector>> =>
    resourceChange.change(id, call, async (before) => {
      const next = decide(before);
      if (!next) return undefined;
      const isPause = next.request === "job.pause" || next.request === "job.resume";
      if (!isPause && requireReferencesInCredentials(next.doc)) {
        await scopes.requireMayRefer(destinationOf(next.doc), {
          context: call.context,
          environmentId: before.environmentId ?? undefined,
          before: destinationOf(before.doc),
          destinationAt: secretDestinations(next.doc),
        });
      }
      if (!isPause) await slots.requireFree(next.doc);
      const env = await environments.actIn(before.environmentId ?? undefined);
      const { doc: masked, sealed } = sealConnector(maps, next.doc, before);
      const declared = next.request === "job.install" ? withSupportProblem(masked, env) : masked;
      const submitted =
        next.request && isSupported(env, declared)
          ? requestJob(next.request, declared, env, next.pause, call.kept)
          : undefined;
      const doc =
        next.request && submitted?.outcome
          ? applyOutcome(declared, next.request, submitted.outcome)
          : declared;
      const state = next.pausedUntil === undefined ? before.state : next.pausedUntil;
      return {
        next: {
          doc: withoutEndedFailure(doc),
          key: connectorKey(env.environment.id, doc.name),
          state,
          sealed,
        },
        submitted,
        taken: taken(doc.name, env),
        events: [
          {
            ...next.event,
            subject: subjectOf("connector", id),
            data: { ...next.event.data, ...(!isPause && consequencesOf(before.doc, doc, env)) },
          },
        ],
      };
    });

  return { ...resourceChange, read, change, requestJob, taken };
}
