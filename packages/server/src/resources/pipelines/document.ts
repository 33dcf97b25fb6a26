import type { PipelineResponse, PipelineSpec } from "@lakehelm/contract";
import { byName } from "@lakehelm/contract/connections";
import { conflict } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import type { SealedMaps, StoredMap } from "../../core/secrets/encrypted-map.ts";
import { type CredentialFields, misplacedReferences, pathText } from "../../core/secrets/references.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { PlatformRequestKind } from "../../runtime/platforms/platform-request.ts";

/** What a caller declares: the specification without the id. */
export type PipelineDeclaration = Omit<PipelineSpec, "id">;

/**
 * The stored configuration of a pipeline. Its health and updates, the rest of the response, are computed on reading.
 */
export type PipelineDocument = PipelineDeclaration & {
  readonly pipeline_id: string;
  readonly platform_managed: PipelineResponse["platform_managed"];
  readonly environment_id: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The platform's own id of the pipeline. */
  readonly platform_reference: string | null;
  /** Why the platform refused the pipeline; null if it did not. */
  readonly error_message: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly created_by: string;
  readonly updated_by: string | null;
};

/** The fields of a pipeline that a caller declares. */
export function declarationOf(pipeline: PipelineDocument): PipelineDeclaration {
  const { pipeline_id, platform_managed, environment_id, tags, ...rest } = pipeline;
  const { platform_reference, error_message, created_at, updated_at, created_by, updated_by, ...declared } =
    rest;
  return declared;
}

/** The pipeline with another declaration: fields that are not in the declaration are removed. */
export function withDeclaration(doc: PipelineDocument, declared: PipelineDeclaration): PipelineDocument {
  const { pipeline_id, platform_managed, environment_id, tags, platform_reference, error_message } = doc;
  const { created_at, updated_at, created_by, updated_by } = doc;
  return {
    pipeline_id,
    ...declared,
    ...{ platform_managed, environment_id, tags, platform_reference, error_message },
    ...{ created_at, updated_at, created_by, updated_by },
  };
}

export function newPipeline(
  id: string,
  declared: PipelineDeclaration,
  { environment }: EnvironmentContext,
  context: ChangeContext,
): PipelineDocument {
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

/** The namespace `platform.` is reserved: `configuration` cannot have such a key, so tags never collide with one. */
export const platformTags = (environment: string, pipeline: string) => ({
  "platform.managed_by": "lakehelm",
  "platform.environment": environment,
  "platform.pipeline": pipeline,
});

/** Checks the rules for a specification that was merged from the stored one and the request. */
export function checkedDeclaration(declared: PipelineDeclaration): PipelineDeclaration {
  if (declared.serverless && (declared.clusters?.length ?? 0) > 0) {
    throw conflict(`The pipeline "${declared.name}" cannot be serverless and have clusters.`);
  }
  const [misplaced] = misplacedReferences(declared, isPipelineCredential);
  if (misplaced) {
    throw conflict(
      `${pathText(misplaced)}: A reference to a secret is accepted only in a credential field: a key of configuration that begins with "fs." or "spark.hadoop.", spark_conf and spark_env_vars of a cluster, and a key of notifications whose name marks it as secret. In SQL a secret would be data.`,
    );
  }
  return declared;
}

/**
 * Settings of file systems and clusters, which a remote platform resolves. Keys that SQL may use as `${key}` are not.
 */
const isPipelineCredential: CredentialFields = ([root, ...path]) => {
  switch (root) {
    case "configuration":
      return /^(?:fs|spark\.hadoop)\./.test(String(path[0]));
    case "clusters":
      return path[1] === "spark_conf" || path[1] === "spark_env_vars";
    case "notifications":
      return byName(path);
    default:
      return false;
  }
};

/**
 * Moves the secret values out of every free-form map; where the map contains the mask, keeps the secret of `before`.
 */
export function sealDeclaration(maps: SealedMaps, declared: PipelineDeclaration, before?: StoredMap) {
  const freeForm = freeFormOf(declared);
  const split = maps.seal(freeForm, before, { parameterSections: ["configuration"] });
  // Masking replaces strings with strings: the shape stays the same.
  return { declared: { ...declared, ...(split.masked as typeof freeForm) }, sealed: split.sealed };
}

/** The stored pipeline, masked by the current rules. */
export function resealPipeline(maps: SealedMaps, doc: PipelineDocument, before: string | null) {
  const { masked, sealed } = maps.reseal({ masked: freeFormOf(doc), sealed: before });
  return { doc: { ...doc, ...(masked as ReturnType<typeof freeFormOf>) }, sealed };
}

const freeFormOf = ({ libraries, clusters, notifications, configuration }: PipelineDeclaration) => ({
  libraries,
  configuration,
  ...definedOnly({ clusters, notifications }),
});

/** The specification with its secret values, only for the platform. */
export const openDeclaration = (
  maps: SealedMaps,
  declared: PipelineDeclaration,
  secrets: string | null,
): PipelineDeclaration =>
  // Restoring replaces strings with strings.
  maps.open(declared, secrets) as PipelineDeclaration;

/** Applies the platform's response. A refusal stays visible on the pipeline until an installation succeeds. */
export function withOutcome(
  pipeline: PipelineDocument,
  kind: PlatformRequestKind,
  outcome: PlatformOutcome,
): PipelineDocument {
  if (kind !== "pipeline.install") return pipeline;
  if (!outcome.done) return { ...pipeline, error_message: outcome.reason };
  return {
    ...pipeline,
    platform_reference: outcome.reference ?? pipeline.platform_reference,
    error_message: null,
  };
}

/** An id that the caller chose: it must be usable in a URL. */
export function usableId(id: string): string {
  if (id === "" || id.length > 255 || /[\0/]/.test(id) || /^\.{1,2}$/.test(id)) {
    throw conflict(
      "A pipeline's id must have 1 to 255 characters, without slashes or NUL, and must not consist of dots only.",
    );
  }
  return id;
}
