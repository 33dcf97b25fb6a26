import type { Environment } from "@lakehelm/contract";
import type { ChangeContext } from "../../core/store/store.ts";

/** A write of a file that a caller asks for. */
export interface FileWrite {
  readonly environment: Environment;
  readonly path: string;
  /** Null: the file is deleted. */
  readonly content: Uint8Array | null;
  /** The plan that the write is part of; null: none. */
  readonly plan: string | null;
  readonly context: ChangeContext;
}

/** Throws 403 if the write changes a resource in a way that its environment or a policy of the server does not allow. */
export type RequireAllowed = (write: FileWrite) => Promise<void>;
