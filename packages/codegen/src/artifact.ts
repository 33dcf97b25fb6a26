import type { QuartzSchedule } from "@lakehelm/schedule";

/** The type of an artifact, which decides which checks it must pass. */
export type FileType = "sql" | "python" | "yaml" | "json";

/** A secret that must exist before the artifact can run. Its value is never in an artifact. */
export interface RequiredSecret {
  readonly scope: string;
  readonly key: string;
}

/** One generated file. All fields except `path` and `content` are for the checks. */
export interface Artifact {
  /** Relative to the bundle's folder, with forward slashes. */
  readonly path: string;
  readonly content: string;
  readonly fileType: FileType;
  /** One sentence for readers of the response. */
  readonly about: string;
  /** The SQL statements that this file runs, each as Spark receives it. */
  readonly statements?: readonly string[];
  /** Names in format strings of a notebook, with their values in the environment's own target. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly schedule?: QuartzSchedule;
  /** Further checks, for the evidence. */
  readonly remarks?: readonly { readonly check: string; readonly detail: string }[];
  readonly secrets?: readonly RequiredSecret[];
  /** Which alternative the code uses, and why: one sentence each. */
  readonly choices?: readonly string[];
}

/** All artifacts of a request, or all its errors. */
export type GenerationResult =
  | { readonly artifacts: readonly Artifact[]; readonly errors?: never }
  | { readonly artifacts?: never; readonly errors: readonly string[] };
