import type { Artifact } from "../../artifact.ts";
import {
  type BundleFile,
  bundleFile,
  type PipelineConfig,
  type Resources,
  resourceFile,
} from "./bundle-schema.ts";
import { readYaml } from "./read.ts";
import { parseFile } from "./schema-problems.ts";

/** A parsed YAML artifact. If it has problems, it is not checked further. */
export interface BundlePart {
  readonly path: string;
  readonly value: unknown;
  readonly resources: Resources;
  readonly problems: readonly string[];
}

/** The YAML artifacts of a set, which are one bundle. */
export interface Bundle {
  readonly main: BundleFile | undefined;
  readonly parts: readonly BundlePart[];
}

export type JobConfig = NonNullable<Resources["jobs"]>[string];
export type { PipelineConfig };

export const mainFile = "databricks.yml";

export function readBundle(artifacts: readonly Artifact[]): Bundle {
  let main: BundleFile | undefined;
  const parts = artifacts
    .filter(({ fileType }) => fileType === "yaml")
    .map(({ path, content }): BundlePart => {
      const { value, problems: unread } = readYaml(path, content);
      const problems = [...unread];
      if (unread.length > 0) return { path, value, resources: {}, problems };
      if (path !== mainFile) {
        const file = parseFile(resourceFile, value, problems);
        return { path, value, resources: file?.resources ?? {}, problems };
      }
      main = parseFile(bundleFile, value, problems);
      return { path, value, resources: main?.resources ?? {}, problems };
    });
  return { main, parts };
}

/** The jobs of a file, each with its path in the file. */
export const jobsIn = ({ resources }: BundlePart): [string, JobConfig][] =>
  Object.entries(resources.jobs ?? {}).map(([key, job]) => [`resources.jobs.${key}`, job]);

export const pipelinesIn = ({ resources }: BundlePart): [string, PipelineConfig][] =>
  Object.entries(resources.pipelines ?? {}).map(([key, pipeline]) => [
    `resources.pipelines.${key}`,
    pipeline,
  ]);
