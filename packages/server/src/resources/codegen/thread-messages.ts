import type { GenerationContext, TableMetadata } from "@lakehelm/codegen";
import type { GeneratorName } from "@lakehelm/codegen/generators";
import type { ValidationError } from "@lakehelm/contract/schema";
import type { TableName } from "@lakehelm/sql/names";

/** A request for the generator's thread: its body as it was sent. */
export interface Asked {
  readonly generator: GeneratorName;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** Without a context, the body is only checked. */
  readonly place: GenerationContext | undefined;
}

/** The result: the response's text, or the problems of the body. */
export type Answered =
  | { readonly text: string }
  | { readonly valid: true }
  | { readonly errors: readonly ValidationError[] }
  | { readonly unreadable: string }
  | { readonly failed: string };

/** What the thread asks for while it generates. */
export interface Question {
  readonly describe: TableName;
}

export interface Told {
  readonly known: TableMetadata | undefined;
}

export type FromThread = { readonly ready: true } | { readonly answered: Answered } | Question;
