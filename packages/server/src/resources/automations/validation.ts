import { automationBundleProblems, compareCodeUnits, contentHash, type DesignFile } from "@lakehelm/codegen";
import type { Attempt, AutomationValidateArtifactsResponse } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Settings } from "../../settings.ts";
import { attemptDefinition, attemptFiles, fieldsOf, isDefinition } from "./attempt-definition.ts";
import type { AttemptReader } from "./attempts.ts";
import type { FindReleasedCalls } from "./call-graph.ts";
import { sizeProblem } from "./definition.ts";
import { checkDefinition } from "./definition-check.ts";
import { readDefinition } from "./definition-text.ts";
import { definitionFile, folderOf, metadataFile } from "./design.ts";
import { secretProblemsInFile } from "./design-secrets.ts";
import type { Lookups } from "./lookups.ts";
import { previewOf } from "./preview.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

/** Validation (#3) has no store and cannot change state: it only writes a temporary folder. */
export interface Validation {
  validate(
    alias: string,
    attemptId: string,
    context: Omit<ValidationContext, "alias">,
  ): Promise<AutomationValidateArtifactsResponse>;
}

export interface ValidationOptions {
  readonly reader: AttemptReader;
  readonly lookups: Lookups;
  readonly releasedCalls: FindReleasedCalls;
  readonly settings: Settings;
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

/** The target environment of a validation, its deadline, and who asked for it. */
interface ValidationContext {
  readonly alias: string;
  readonly env: EnvironmentContext;
  readonly signal: AbortSignal;
  readonly owner: string;
}

export function createValidation({
  reader,
  lookups,
  releasedCalls,
  settings,
  clock,
  now,
  temporary,
}: ValidationOptions): Validation {
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
    const own = attemptDefinition(attempt);
    const { file, maxLength, problems } = own;
    const { owner } = context;
    const { definition: read, findings } = await readDefinition(file.content, { maxLength, owner });
    const valid = findings.length === 0 ? read : undefined;
    const { bundle, generated, others: paths } = attemptFiles(context.alias, attempt, own, valid);
    const checkFiles = async (files: readonly DesignFile[]): Promise<ValidationResult> => {
      const definition = await checkDefinition(files.find(isDefinition) ?? file, maxLength, {
        ...context,
        lookups,
        releasedCalls,
        settings,
      });
      const contentOf = (path: string) => files.find((one) => one.path === path)?.content ?? "";
      const readBack = bundle.map((artifact) => ({ ...artifact, content: contentOf(artifact.path) }));
      const further = [metadataFile, ...paths.safe.map(({ path }) => path)].sort(compareCodeUnits);
      const secretProblems: string[] = [];
      for (const path of further) {
        secretProblems.push(...(await secretProblemsInFile(path, contentOf(path), owner)));
      }
      return {
        files,
        problems: [
          ...problems,
          ...paths.problems,
          ...definition.problems,
          // Problems of a definition also appear in its bundle, and are reported once.
          ...(definition.problems.length > 0 ? [] : automationBundleProblems(readBack)),
          ...secretProblems,
        ],
        preview: previewOf(files, definition.valid, now()),
      };
    };
    return inTemporaryFolder([...generated, ...paths.safe], checkFiles, temporary);
  }

  return {
    async validate(alias, attemptId, context) {
      const start = clock();
      const { problems, files = [], preview = null } = await check(attemptId, { ...context, alias });
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
