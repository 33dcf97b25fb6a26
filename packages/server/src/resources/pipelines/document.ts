import type { PipelineResponse, PipelineSpec } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import type { SealedMaps } from "../../core/secrets/encrypted-map.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { IntentKind, Outcome } from "../../runtime/platforms/platform.ts";

/** What a caller declares: the specification without the id, which is the pipeline's own. */
export type Declared = Omit<PipelineSpec, "id">;

/** A pipeline as it is configured. How it fares, the rest of its answer, is found out when it is read: life.ts. */
export type Pipeline = Declared & {
  readonly pipeline_id: string;
  readonly platform_managed: PipelineResponse["platform_managed"];
  readonly environment_id: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The platform's own id of it. */
  readonly platform_reference: string | null;
  /** Why the platform refused it; null where it did not. */
  readonly error_message: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly created_by: string;
  readonly updated_by: string | null;
};

/** The fields that a caller declares, as they stand in the pipeline. */
export function declaredBy(pipeline: Pipeline): Declared {
  const { pipeline_id, platform_managed, environment_id, tags, ...rest } = pipeline;
  const { platform_reference, error_message, created_at, updated_at, created_by, updated_by, ...declared } =
    rest;
  return declared;
}

export function newPipeline(
  id: string,
  declared: Declared,
  { environment }: EnvironmentContext,
  context: ChangeContext,
): Pipeline {
  return {
    pipeline_id: id,
    ...declared,
    platform_managed: true,
    environment_id: environment.id,
    tags: platformTags(environment.name, declared.name),
    platform_reference: null,
    error_message: null,
    created_at: context.time,
    updated_at: context.time,
    created_by: context.actor,
    updated_by: null,
  };
}

/** Their namespace is ours alone (a `platform.` key in `configuration` is refused), so nothing collides. */
export const platformTags = (environment: string, pipeline: string) => ({
  "platform.managed_by": "lakehelm",
  "platform.environment": environment,
  "platform.pipeline": pipeline,
});

/** What must hold for a specification that was put together from what was there and what was sent. */
export function settled(declared: Declared): Declared {
  if (declared.serverless && (declared.clusters?.length ?? 0) > 0) {
    throw conflict(`The pipeline "${declared.name}" cannot be serverless and have clusters.`);
  }
  return declared;
}

/** Takes the secret values out of every free-form map in it; where it carries the mask, `before` is kept. */
export function sealed(maps: SealedMaps, declared: Declared, before: string | null = null) {
  const { libraries, clusters, notifications, configuration } = declared;
  const parts = { libraries, configuration, ...definedOnly({ clusters, notifications }) };
  const split = maps.seal(parts, before);
  // Masking puts a string in the place of a string: the shape is the one that was sealed.
  return { declared: { ...declared, ...(split.masked as typeof parts) }, sealed: split.sealed };
}

/** The specification with its secret values, for the platform alone. */
export const opened = (maps: SealedMaps, declared: Declared, secrets: string | null): Declared =>
  // Restoring puts a string in the place of a string.
  maps.open(declared, secrets) as Declared;

/** What the platform said. A refusal stays visible on the pipeline until an installation succeeds. */
export function withOutcome(pipeline: Pipeline, kind: IntentKind, outcome: Outcome): Pipeline {
  if (kind !== "pipeline.install") return pipeline;
  if (!outcome.done) return { ...pipeline, error_message: outcome.reason };
  return {
    ...pipeline,
    platform_reference: outcome.reference ?? pipeline.platform_reference,
    error_message: null,
  };
}

/** An id of the caller's own: it must be possible to ask for it again. */
export function usableId(id: string): string {
  if (id === "" || id.length > 255 || /[\0/]/.test(id) || /^\.{1,2}$/.test(id)) {
    throw conflict(
      "A pipeline's id must have 1 to 255 characters, without slashes or NUL, and not be dots alone.",
    );
  }
  return id;
}
