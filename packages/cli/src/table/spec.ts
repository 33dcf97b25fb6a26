import type { endpoints } from "@lakehelm/contract";

export type OperationName = keyof typeof endpoints;

/** A command that calls one operation of the API. Its arguments and flags come from the contract. */
export interface OperationCommand {
  readonly operation: OperationName;
  /** What follows `lakehelm` on the command line. */
  readonly examples: readonly string[];
  /** More requests for `-f`, by what they do. The help shows them before the example of the contract. */
  readonly requests?: Readonly<Record<string, unknown>>;
  /** Default: the summary of the operation. */
  readonly summary?: string;
  /** The columns of the table, as paths into an item: `cause.trigger`. */
  readonly columns?: readonly string[];
  /** The key of the answer whose list the table shows. Default: the only list of a list answer. */
  readonly rows?: string;
  /** Values of path parameters that the command itself determines. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The job that runs is that of a named resource: the argument is that resource. */
  readonly jobOf?: "connector" | "flow";
  /** A field of the body that must not be on a command line: it is asked for, or read from standard input. */
  readonly secret?: string;
  /** Fields of the body that are arguments, not flags. */
  readonly positional?: readonly string[];
  /** Values of the body that the command itself determines. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Goes on after the answer, and `--watch` waits for its end: the operation that reads it. */
  readonly ends?: { readonly operation: OperationName; readonly parameter: string };
  /** Starts a run, which `--watch` follows: the key of its id in the answer. */
  readonly starts?: "id" | "update_id";
}

export interface CommandGroup {
  readonly about: string;
  readonly commands: Readonly<Record<string, OperationCommand>>;
}
