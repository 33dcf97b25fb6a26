import type { JobTrigger, PipelineSpec } from "@lakehelm/contract";
import { live } from "../jobs/job-steps.ts";

/** The fields of a pipeline that define its job. */
type DeclaredPipeline = Pick<PipelineSpec, "name" | "libraries" | "continuous">;

type Library = PipelineSpec["libraries"][number];

/** The trigger of a pipeline's job, or why it cannot run here. */
export function pipelineTrigger(
  platform: string,
  { libraries, continuous }: DeclaredPipeline,
  /** Whether it runs files in Python; undefined: it never does. */
  runsPython?: boolean,
): { readonly trigger: JobTrigger } | { readonly problem: string } {
  const others = runsPython ? libraries.filter(({ file }) => !pythonFile.test(file?.path ?? "")) : libraries;
  const foreign = others.flatMap((library) => needingDatabricks(library) ?? []);
  const isOff = runsPython === false && libraries.some(({ file }) => pythonFile.test(file?.path ?? ""));
  if (foreign.length > 0) {
    return {
      problem:
        `The ${platform} platform runs SQL files and SQL notebooks. ${foreign.join(", ")}: ` +
        `${foreign.length === 1 ? "this library needs" : "these libraries need"} an environment on the platform databricks${isOff ? ", or PLATFORM_SPARK_PYTHON on this server" : ""}.`,
    };
  }
  return { trigger: continuous ? live : { kind: "manual" } };
}

const pythonFile = /\.py$/i;

/** Files in other languages that Databricks accepts. */
const foreignFile = /\.(?:py|ipynb|scala|r)$/i;

function needingDatabricks({ file, notebook, jar, maven, pypi, whl }: Library): string | undefined {
  if (jar !== undefined) return `jar "${jar}"`;
  if (whl !== undefined) return `whl "${whl}"`;
  if (maven !== undefined) return `maven "${maven.coordinates ?? ""}"`;
  if (pypi !== undefined) return `pypi "${pypi.package ?? ""}"`;
  const path = file?.path ?? notebook?.path ?? "";
  return foreignFile.test(path) ? `${file ? "file" : "notebook"} "${path}"` : undefined;
}
