import type { GenerationContext, TableMetadata } from "@lakehelm/codegen";
import type { GeneratorName } from "@lakehelm/codegen/generators";
import type { ValidationError } from "@lakehelm/contract/schema";
import type { TableName } from "@lakehelm/sql/names";
import type { DataPaths, dataPathsOf } from "@lakehelm/sql/pipelines";

/** A request for the generator's thread, with the body as it was sent. */
export interface ThreadRequest {
  readonly generator: GeneratorName;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** Without a context, the body is only checked. */
  readonly context: GenerationContext | undefined;
}

/** A request for what SQL reads and writes. */
export interface PathsRequest {
  readonly sources: Parameters<typeof dataPathsOf>[1];
  readonly rules: Parameters<typeof dataPathsOf>[2];
}

/** The result: the response's text, or the problems of the body. */
export type ThreadResult =
  | {
      readonly text: string;
      /** Why the request was ended before it was handled: the response says nothing about its content. */
      readonly stopped?: string;
    }
  | { readonly valid: true }
  | { readonly errors: readonly ValidationError[] }
  | { readonly unreadable: string }
  | { readonly failed: string }
  | { readonly paths: DataPaths };

/** A request of the thread during a generation: the metadata of a table. */
export interface TableLookup {
  readonly describe: TableName;
}

export interface TableLookupResult {
  readonly metadata: TableMetadata | undefined;
}

export type GeneratorMessage = { readonly ready: true } | { readonly result: ThreadResult } | TableLookup;
