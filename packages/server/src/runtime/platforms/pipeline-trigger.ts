import type { JobTrigger, PipelineSpec } from "@lakehelm/contract";
import { live } from "../jobs/job-steps.ts";

/** The fields of a pipeline that define its job. */
type DeclaredPipeline = Pick<PipelineSpec, "name" | "libraries" | "continuous">;

type Library = PipelineSpec["libraries"][number];

/** The trigger of a pipeline's job, or why it cannot run here. */
export function pipelineTrigger({
  libraries,
  continuous,
}: DeclaredPipeline): { readonly trigger: JobTrigger } | { readonly problem: string } {
  const foreign = libraries.flatMap((library) => needingSpark(library) ?? []);
  if (foreign.length > 0) {
    return {
      problem:
        `The embedded platform runs SQL files and SQL notebooks. ${foreign.join(", ")}: ` +
        `${foreign.length === 1 ? "this library needs" : "these libraries need"} Spark, ` +
        "which environments on the platforms databricks and spark have.",
    };
  }
  return { trigger: continuous ? live : { kind: "manual" } };
}

/** Files in other languages that Databricks accepts. */
const foreignFile = /\.(?:py|ipynb|scala|r)$/i;

function needingSpark({ file, notebook, jar, maven, pypi, whl }: Library): string | undefined {
  if (jar !== undefined) return `jar "${jar}"`;
  if (whl !== undefined) return `whl "${whl}"`;
  if (maven !== undefined) return `maven "${maven.coordinates ?? ""}"`;
  if (pypi !== undefined) return `pypi "${pypi.package ?? ""}"`;
  const path = file?.path ?? notebook?.path ?? "";
  return foreignFile.test(path) ? `${file ? "file" : "notebook"} "${path}"` : undefined;
}
