import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { encodeJson } from "@lakehelm/contract/schema";
import type { DataPaths } from "@lakehelm/sql/pipelines";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { ReadPipelineCode } from "./pipeline-code.ts";
import type { Pipelines } from "./pipelines.ts";

/** What each table of a pipeline reads. */
export type PipelineLineage = (pipelineId: string) => Promise<DataPaths>;

const mostKept = 500;
/** The lineage of an update in a remote workspace is cached for this time. */
const workspaceMs = 60_000;
const isSql = (path: string) => !/\.py$/i.test(path);

/**
 * From the pipeline's code or, if a remote platform runs the pipeline, from its last update there: only the update
 * knows the tables of Python code.
 */
export function createPipelineLineage(
  pipelines: Pick<Pipelines, "read">,
  read: ReadPipelineCode,
  generator: Pick<CodeGenerator, "paths">,
  now: () => Date,
): PipelineLineage {
  const known = new Map<string, { readonly digest: string; readonly paths: Promise<DataPaths> }>();
  const keep = (pipelineId: string, digest: string, find: () => Promise<DataPaths>): Promise<DataPaths> => {
    const before = known.get(pipelineId);
    if (before?.digest === digest) return before.paths;
    const paths = find();
    known.delete(pipelineId);
    known.set(pipelineId, { digest, paths });
    if (known.size > mostKept) known.delete(known.keys().next().value ?? "");
    paths.catch(() => known.delete(pipelineId));
    return paths;
  };

  async function byUpdate(env: EnvironmentContext, reference: string): Promise<DataPaths> {
    const graph = await env.platform.pipelineGraph?.(env.environment.id, reference);
    const tables = graph?.tables.map(({ name, reads }) => ({
      table: name.toLowerCase(),
      reads: reads.map((table) => table.toLowerCase()),
    }));
    return { paths: tables ?? [], isComplete: tables !== undefined };
  }

  return async (pipelineId) => {
    const { doc } = await pipelines.read(pipelineId);
    await setImmediate();
    const { env, code, problems } = await read(pipelineId);
    if (env.platform.pipelineGraph && doc.platform_reference !== null) {
      const { platform_reference: reference } = doc;
      const slot = Math.floor(now().getTime() / workspaceMs);
      // If the platform has no update yet, only the code is known.
      const found = await keep(pipelineId, `${reference} ${slot}`, () => byUpdate(env, reference)).catch(
        () => undefined,
      );
      if (found) return found;
    }
    const { catalog, schema } = code.scope;
    const { configuration } = code;
    const sources = code.sources.filter(({ path }) => isSql(path));
    const rules = { catalog, schema, configuration, language: "pipeline" as const };
    const digest = createHash("sha256")
      .update(encodeJson([sources, rules]))
      .digest("base64");
    await setImmediate();
    const { paths, isComplete } = await keep(pipelineId, digest, () => generator.paths({ sources, rules }));
    const isAll = isComplete && problems.length === 0 && sources.length === code.sources.length;
    return { paths, isComplete: isAll };
  };
}
