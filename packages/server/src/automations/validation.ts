import { contentHash, type DesignFile } from "@lakehelm/codegen/content-hash";
import {
  type Attempt,
  AutomationDefinition,
  type AutomationValidateArtifactsResponse,
} from "@lakehelm/contract";
import { decodeJson, type Entry } from "@lakehelm/contract/schema";
import type { AttemptReader } from "./attempts.ts";
import { definitionProblems, sizeProblem } from "./definition.ts";
import { Bundle, bundleFile, definitionFile, designFiles, folderOf, metadataFile } from "./design.ts";
import { sortOut } from "./file-paths.ts";
import { placeOf, readYaml, secretProblems, secretProblemsInFile } from "./reading.ts";
import { writtenAndReadBack } from "./temporary.ts";

/** What a definition may refer to, as questions: whoever answers them is asked for nothing else. */
interface Lookups {
  connector(name: string): Promise<boolean>;
  pipeline(name: string, environmentId: string): Promise<boolean>;
  agent(name: string): Promise<boolean>;
}

/** #3: it has no store and nothing else it could change; all it writes is a temporary folder. */
export interface Validation {
  validate(
    alias: string,
    attemptId: string,
    environmentId: string,
  ): Promise<AutomationValidateArtifactsResponse>;
}

export interface ValidationParts {
  readonly reader: AttemptReader;
  readonly lookups: Lookups;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Where temporary folders are made; absent: where the system has them. */
  readonly temporary?: string;
}

interface Verdict {
  readonly problems: readonly string[];
  readonly files?: readonly DesignFile[];
}

export function createValidation({ reader, lookups, clock, temporary }: ValidationParts): Validation {
  async function judge(alias: string, attemptId: string, environmentId: string): Promise<Verdict> {
    if (!(await reader.knows(alias))) return { problems: [`There is no automation "${alias}".`] };
    const attempt = await reader.attempt(alias, attemptId);
    if (!attempt) return { problems: [`The automation "${alias}" has no attempt "${attemptId}".`] };
    const definition = definitionIn(attempt);
    const size = sizeProblem(definition);
    if (size !== undefined) return { problems: [`${definitionFile}: ${size}`] };
    const { safe, problems } = sortOut(attempt.files);
    const written = [...designFiles(alias, definition, attempt.metadata), ...safe];
    const files = await writtenAndReadBack(written, temporary);
    return { files, problems: [...problems, ...(await problemsIn(files, environmentId))] };
  }

  async function problemsIn(files: readonly DesignFile[], environmentId: string): Promise<string[]> {
    const others = files.filter(({ path }) => path !== definitionFile && path !== bundleFile);
    return [
      ...(await problemsOfDefinition(contentOf(files, definitionFile), environmentId)),
      ...problemsOfBundle(files.find(({ path }) => path === bundleFile)),
      ...others.flatMap(({ path, content }) => inFile(path, secretProblemsInFile(path, content))),
    ];
  }

  async function problemsOfDefinition(content: string, environmentId: string): Promise<string[]> {
    const read = readYaml(content);
    if ("problem" in read) return inFile(definitionFile, [read.problem]);
    const entries: Entry[] = [];
    const definition = AutomationDefinition.check(read.value, [], entries);
    const problems =
      entries.length > 0
        ? entries.map(located)
        : [...definitionProblems(definition), ...(await strangers(definition, environmentId))];
    return inFile(definitionFile, [...problems, ...secretProblems(read.value)]);
  }

  /** References to what is not there. */
  async function strangers({ tasks }: AutomationDefinition, environmentId: string): Promise<string[]> {
    const problems: string[] = [];
    for (const { name, kind, reference } of tasks) {
      if (!reference || !(kind === "connector" || kind === "pipeline" || kind === "agent")) continue;
      if (await lookups[kind](reference, environmentId)) continue;
      problems.push(`Task "${name}" runs the ${kind} "${reference}", which is not there.`);
    }
    return problems;
  }

  return {
    async validate(alias, attemptId, environmentId) {
      const start = clock();
      const { problems, files = [] } = await judge(alias, attemptId, environmentId);
      const passed = problems.length === 0;
      return {
        success: passed,
        attempt_id: attemptId,
        automation_alias: alias,
        validation_status: passed ? "passed" : "failed",
        validation_errors: [...problems],
        // What did not pass is not to be committed, so there is nothing to list.
        files_to_commit: passed ? files.map(({ path }) => `automations/${folderOf(alias)}/${path}`) : [],
        design_content_hash: passed ? contentHash(files) : null,
        metadata_preview: metadataIn(files),
        api_response_time_seconds: (clock() - start) / 1000,
      };
    },
  };
}

const definitionIn = ({ description, tasks, schedule, parameters }: Attempt) => ({
  version: 1,
  description,
  tasks,
  ...(schedule && { schedule }),
  parameters,
});

const contentOf = (files: readonly DesignFile[], wanted: string) =>
  files.find(({ path }) => path === wanted)?.content ?? "";

const inFile = (path: string, problems: readonly string[]) =>
  problems.map((problem) => `${path}: ${problem}`);

const located = ({ loc, msg }: Entry) => [placeOf(loc), msg].filter(Boolean).join(": ");

/** An unsound definition has no bundle yet. */
function problemsOfBundle(bundle: DesignFile | undefined): string[] {
  if (!bundle) return [];
  const read = readYaml(bundle.content);
  if ("problem" in read) return inFile(bundleFile, [read.problem]);
  const entries: Entry[] = [];
  Bundle.check(read.value, [], entries);
  return inFile(bundleFile, entries.map(located));
}

function metadataIn(files: readonly DesignFile[]): Record<string, unknown> | null {
  const read = decodeJson(contentOf(files, metadataFile));
  const { value } = "value" in read ? read : { value: null };
  return isMap(value) ? value : null;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
