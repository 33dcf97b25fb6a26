import { parse } from "yaml";
import { mainFile } from "./evidence/yaml/bundle.ts";

/** The parts of a generated file that a deployment needs. */
interface BundleFile {
  readonly path: string;
  readonly content: string;
}

/** A file for a workspace. There, the path of a notebook has no extension. */
export interface DeployedFile {
  readonly path: string;
  readonly content: string;
  readonly isNotebook: boolean;
}

/** The settings of a job, as the Jobs API takes them. */
export type JobSettings = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
};

/** One job of a generated bundle, ready for the Jobs API: its files, and its settings with all variables filled in. */
export interface Deployment {
  readonly files: readonly DeployedFile[];
  readonly settings: JobSettings;
}

interface DeploymentOptions {
  /** The folder in the workspace that the files are written to. */
  readonly folder: string;
  /** The target of the bundle that stands for the environment. */
  readonly target: "dev" | "prod";
  /** The name of the environment, for code that asks for it. Default: the name of the target. */
  readonly environment?: string;
  /** Values of variables, instead of their defaults. */
  readonly variables?: Readonly<Record<string, string>>;
}

interface MainFile {
  readonly bundle?: { readonly name?: string };
  readonly variables?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly targets?: Readonly<
    Record<string, { readonly presets?: { readonly tags?: Readonly<Record<string, string>> } }>
  >;
}

/**
 * The job that `databricks bundle deploy` would create from a generated bundle with one job. Presets of development,
 * such as name prefixes, are for the copies of developers and do not apply, because the environment itself is deployed.
 */
export function deploymentOf(artifacts: readonly BundleFile[], options: DeploymentOptions): Deployment {
  const main = parse(contentOf(artifacts, mainFile)) as MainFile;
  const [resource] = artifacts.filter(({ path }) => path.startsWith("resources/"));
  const { jobs } = (parse(resource?.content ?? "") as { resources: { jobs: Record<string, object> } })
    .resources;
  const [job] = Object.values(jobs);
  if (!job) throw new Error("The generated bundle has no job.");
  const defaults = Object.entries(main.variables ?? {}).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const values = new Map([...defaults, ...Object.entries(options.variables ?? {})]);
  const fill = (text: string) =>
    text.replace(/\$\{([^}]*)\}/g, (whole, reference: string) => {
      const [, name] = /^var\.(\w+)$/.exec(reference) ?? [];
      const value =
        name === undefined
          ? { "bundle.name": main.bundle?.name, "bundle.target": options.environment ?? options.target }[
              reference
            ]
          : values.get(name);
      if (value === undefined)
        throw new Error(`The generated bundle refers to ${whole}, which has no value.`);
      return value;
    });
  const settings = filled(job, fill, (path) => `${options.folder}/${notebookName(path)}`) as JobSettings;
  // The bundle of an automation has only the targets dev and prod.
  const environment = options.environment === undefined ? {} : { environment: options.environment };
  const tags = { ...main.targets?.[options.target]?.presets?.tags, ...environment, ...settings.tags };
  const files = artifacts
    .filter(({ path }) => path !== mainFile && path !== resource?.path)
    .map(({ path, content }) => {
      const isNotebook = path.endsWith(".py") && content.startsWith("# Databricks notebook source");
      return { path: isNotebook ? notebookName(path) : path, content, isNotebook };
    });
  return { files, settings: { ...settings, tags } };
}

/** `../src/flow.py`, relative to `resources/`, is the notebook `src/flow`. */
const notebookName = (path: string) => path.replace(/^\.\.\//, "").replace(/\.py$/, "");

function filled(
  value: unknown,
  fill: (text: string) => string,
  notebookAt: (path: string) => string,
): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, fill, notebookAt));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "notebook_path" ? notebookAt(fill(String(item))) : filled(item, fill, notebookAt),
    ]),
  );
}

function contentOf(artifacts: readonly BundleFile[], wanted: string): string {
  const found = artifacts.find(({ path }) => path === wanted);
  if (!found) throw new Error(`The generated bundle has no ${wanted}.`);
  return found.content;
}
