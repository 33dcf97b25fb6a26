import { setImmediate } from "node:timers/promises";
import type { Environment } from "@lakehelm/contract";
import { createRedaction, type Redaction } from "@lakehelm/contract/connections";
import type { PipelineCode, WarehouseScope } from "@lakehelm/engine";
import { namePartProblem } from "@lakehelm/sql/names";
import type { PipelineProblem, PipelineSource } from "@lakehelm/sql/pipelines";
import { conflict, Problem } from "../../core/errors.ts";
import { secretTextsIn } from "../../core/secrets/secret-extraction.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Environments } from "../environments/environments.ts";
import type { Files } from "../files/files.ts";
import { noFile } from "../files/no-file.ts";
import { readText } from "../files/read-text.ts";
import { checkedDeclaration, type PipelineDeclaration } from "./document.ts";
import { libraryPath } from "./library-path.ts";
import type { Pipelines } from "./pipelines.ts";

/** The current code of a pipeline for the engine, and the files that could not be read. */
interface PipelineCodeRead {
  readonly env: EnvironmentContext;
  /** The name of the pipeline. */
  readonly name: string;
  readonly code: PipelineCode;
  readonly problems: readonly PipelineProblem[];
  /** Secrets become part of the SQL, and so of messages about the SQL. */
  readonly redaction: Redaction;
}

/** Reads the code of the pipeline with this id. */
export type ReadPipelineCode = (pipelineId: string) => Promise<PipelineCodeRead>;

export const createPipelineCodeReader =
  (
    pipelines: Pick<Pipelines, "read" | "specOf">,
    environments: Pick<Environments, "actIn">,
    files: Pick<Files, "open">,
  ): ReadPipelineCode =>
  async (pipelineId) => {
    // The configuration may have a megabyte, so other requests get a turn between the steps that process all of it.
    const { doc } = await pipelines.read(pipelineId);
    const env = await environments.actIn(doc.environment_id);
    await setImmediate();
    const opened = await pipelines.specOf(pipelineId);
    await setImmediate();
    const spec = checkedDeclaration(opened);
    await setImmediate();
    let redaction: Redaction | undefined;
    const { sources, problems } = await readLibraries(files, env.environment, spec);
    const code = {
      scope: scopeFor(spec, warehouseScope(env)),
      pipeline: pipelineId,
      sources,
      // References stay references: a secret in SQL would be data.
      configuration: spec.configuration,
    };
    return {
      ...{ env, name: spec.name, code, problems },
      // Created on demand: only messages need it, and looking at each value for secrets takes longer than all else.
      get redaction() {
        redaction ??= createRedaction(secretTextsIn(spec.configuration));
        return redaction;
      },
    };
  };

/** The code of a planned pipeline. `planned`: the files whose planned content is not in the workspace yet. */
export const createPlannedCodeReader =
  (files: Pick<Files, "open">) =>
  async (
    declared: PipelineDeclaration,
    id: string | undefined,
    env: EnvironmentContext,
    planned: ReadonlyMap<string, string | null>,
  ): Promise<Pick<PipelineCodeRead, "code" | "problems">> => {
    const spec = { ...declared, configuration: declared.configuration ?? {} };
    const { sources, problems } = await readLibraries(files, env.environment, spec, planned);
    const { configuration } = spec;
    const scope = scopeFor(spec, warehouseScope(env));
    return { code: { scope, pipeline: id ?? "planned", sources, configuration }, problems };
  };

/** The pipeline's own catalog and schema override the environment's. `target` is the older name for the schema. */
function scopeFor(
  { name, catalog, schema, target }: PipelineDeclaration,
  scope: WarehouseScope,
): WarehouseScope {
  const own = { catalog: catalog || scope.catalog, schema: schema || target || scope.schema };
  for (const [key, value] of Object.entries(own)) {
    const problem = namePartProblem(value);
    if (problem) throw conflict(`The ${key} of the pipeline "${name}" cannot be used: ${problem}`);
  }
  return { ...scope, ...own };
}

/** The default limit of the API for one file; no SQL file is that large. */
const maxBytes = 1024 * 1024;
const maxTotalBytes = 8 * maxBytes;

async function readLibraries(
  files: Pick<Files, "open">,
  environment: Environment,
  { name, libraries, root_path }: PipelineDeclaration,
  planned: ReadonlyMap<string, string | null> = new Map(),
): Promise<{ readonly sources: PipelineSource[]; readonly problems: PipelineProblem[] }> {
  const sources: PipelineSource[] = [];
  const problems: PipelineProblem[] = [];
  const addProblem = (path: string, message: string) => problems.push({ path, line: 1, column: 1, message });
  if (libraries.length === 0) addProblem(name, `The pipeline "${name}" has no libraries.`);
  let remaining = maxTotalBytes;
  for (const library of libraries) {
    const path = libraryPath(library, root_path ?? undefined);
    try {
      if (planned.get(path) === null) throw noFile(path, environment.name);
      const text =
        planned.get(path) ?? (await readSql(files, environment, path, Math.min(remaining, maxBytes)));
      remaining -= Buffer.byteLength(text);
      sources.push({ path, text });
    } catch (error) {
      // A transient error, such as a disk failure, is not a problem of the code.
      if (!(error instanceof Problem) || error.kind === "unavailable") throw error;
      addProblem(path, error.message);
    }
  }
  return { sources, problems };
}

async function readSql(
  files: Pick<Files, "open">,
  environment: Environment,
  path: string,
  bytes: number,
): Promise<string> {
  const sentence = `The limit is ${maxBytes} for a library and ${maxTotalBytes} for all libraries of a pipeline.`;
  const text = await readText(files, environment, path, { bytes, sentence });
  if (foreignNotebook.test(text)) {
    throw conflict(
      `"${path}" is a notebook in a language other than SQL. Use an environment on the platform databricks.`,
    );
  }
  return text;
}

/** The first line of notebooks in Python and R, and in Scala; SQL notebooks begin with two dashes. */
const foreignNotebook = /^(?:#|\/\/) Databricks notebook source/;
