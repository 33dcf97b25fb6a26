import type { QuartzSchedule } from "@lakehelm/schedule";

/** The type of an artifact. It decides which checks the artifact must pass. */
export type FileType = "sql" | "python" | "yaml" | "json";

/** A secret that must exist before the artifact can run. Its value is never in an artifact. */
export interface RequiredSecret {
  readonly scope: string;
  readonly key: string;
}

/** One generated file. All fields except path and content are for the checks. */
export interface Artifact {
  /** Relative to the bundle's folder, with forward slashes. */
  readonly path: string;
  readonly content: string;
  readonly fileType: FileType;
  /** One sentence for readers of the response. */
  readonly about: string;
  /** The SQL statements that this file runs, each as sent to the engine. */
  readonly statements?: readonly string[];
  readonly schedule?: QuartzSchedule;
  readonly secrets?: readonly RequiredSecret[];
}

/** All artifacts of a request, or all its errors. */
export type GenerationResult =
  | { readonly artifacts: readonly Artifact[]; readonly errors?: never }
  | { readonly artifacts?: never; readonly errors: readonly string[] };
