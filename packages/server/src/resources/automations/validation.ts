import {
  automationBundle,
  automationBundleProblems,
  compareCodeUnits,
  contentHash,
  type DesignFile,
} from "@lakehelm/codegen";
import type { Attempt, AutomationValidateArtifactsResponse } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { attemptDefinition, fieldsOf, isDefinition } from "./attempt-definition.ts";
import type { AttemptReader } from "./attempts.ts";
import { sizeProblem } from "./definition.ts";
import { checkDefinition } from "./definition-check.ts";
import { readDefinition } from "./definition-text.ts";
import { definitionFile, folderOf, metadataOf } from "./design.ts";
import { secretProblemsInFile } from "./design-secrets.ts";
import { checkPaths } from "./file-paths.ts";
import type { Lookups } from "./lookups.ts";
import { previewOf } from "./preview.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

/** #3: it has no store and cannot change state; it only writes a temporary folder. */
export interface Validation {
  validate(
    alias: string,
    attemptId: string,
    env: EnvironmentContext,
    signal: AbortSignal,
  ): Promise<AutomationValidateArtifactsResponse>;
}

export interface ValidationOptions {
  readonly reader: AttemptReader;
  readonly lookups: Lookups;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  readonly now: () => Date;
  /** The parent of temporary folders; absent: the system's. */
  readonly temporary?: string;
}

interface ValidationResult {
  readonly problems: readonly string[];
  readonly files?: readonly DesignFile[];
  readonly preview?: Record<string, unknown>;
}

/** The target environment of a validation, and its deadline. */
interface ValidationContext {
  readonly alias: string;
  readonly env: EnvironmentContext;
  readonly signal: AbortSignal;
}

export function createValidation({ reader, lookups, clock, now, temporary }: ValidationOptions): Validation {
  async function check(attemptId: string, context: ValidationContext): Promise<ValidationResult> {
    const { alias } = context;
    if (!(await reader.knows(alias))) return { problems: [`There is no automation "${alias}".`] };
    const attempt = await reader.attempt(alias, attemptId);
    if (!attempt) return { problems: [`The automation "${alias}" has no attempt "${attemptId}".`] };
    const size = sizeProblem(fieldsOf(attempt));
    if (size !== undefined) return { problems: [`${definitionFile}: ${size}`] };
    return checkDesign(attempt, context);
  }

  async function checkDesign(attempt: Attempt, context: ValidationContext): Promise<ValidationResult> {
    const { file, maxLength, others, problems } = attemptDefinition(attempt);
    const { definition: read, findings } = readDefinition(file.content, maxLength);
    // An invalid definition has no bundle: two tasks with the same name would be one file.
    const bundle = read && findings.length === 0 ? automationBundle(context.alias, read) : [];
    const metadata = metadataOf(context.alias, attempt.metadata);
    const ours = [file, metadata, ...bundle];
    const paths = checkPaths(others, ours);
    const checkFiles = async (files: readonly DesignFile[]): Promise<ValidationResult> => {
      const definition = await checkDefinition(files.find(isDefinition) ?? file, maxLength, {
        ...context,
        lookups,
      });
      const contentOf = (path: string) => files.find((one) => one.path === path)?.content ?? "";
      const readBack = bundle.map((artifact) => ({ ...artifact, content: contentOf(artifact.path) }));
      const further = [metadata, ...paths.safe].map(({ path }) => path).sort(compareCodeUnits);
      return {
        files,
        problems: [
          ...problems,
          ...paths.problems,
          ...definition.problems,
          // Problems of a definition also appear in its bundle, and are reported once.
          ...(definition.problems.length > 0 ? [] : automationBundleProblems(readBack)),
          ...further.flatMap((path) => secretProblemsInFile(path, contentOf(path))),
        ],
        preview: previewOf(files, definition.valid, now()),
      };
    };
    return inTemporaryFolder([...ours, ...paths.safe], checkFiles, temporary);
  }

  return {
    async validate(alias, attemptId, env, signal) {
      const start = clock();
      const { problems, files = [], preview = null } = await check(attemptId, { alias, env, signal });
      const passed = problems.length === 0;
      return {
        success: passed,
        attempt_id: attemptId,
        automation_alias: alias,
        validation_status: passed ? "passed" : "failed",
        validation_errors: [...problems],
        // A failed design must not be committed, so there are no files to list.
        files_to_commit: passed ? files.map(({ path }) => `automations/${folderOf(alias)}/${path}`) : [],
        design_content_hash: passed ? contentHash(files) : null,
        metadata_preview: preview,
        api_response_time_seconds: (clock() - start) / 1000,
      };
    },
  };
}
