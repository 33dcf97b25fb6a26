import type { QuartzSchedule } from "@lakehelm/schedule";

/** What kind of text an artifact is: it decides which checks it must pass. */
export type FileType = "sql" | "python" | "yaml" | "json";

/** A secret that somebody has to create before the artifact can run. Its value is never in an artifact. */
export interface SecretReference {
  readonly scope: string;
  readonly key: string;
}

/** One generated file. Everything beside path and content is what the evidence goes by. */
export interface Artifact {
  /** Relative to the bundle's folder, with forward slashes. */
  readonly path: string;
  readonly content: string;
  readonly fileType: FileType;
  /** One sentence for the reader of the response. */
  readonly about: string;
  /** The SQL statements that this file runs, each as it is handed to the engine. */
  readonly statements?: readonly string[];
  readonly schedule?: QuartzSchedule;
  readonly secrets?: readonly SecretReference[];
}

/** Either all artifacts of a request, or every reason why there are none. */
export type GenerationResult =
  | { readonly artifacts: readonly Artifact[]; readonly errors?: never }
  | { readonly artifacts?: never; readonly errors: readonly string[] };
