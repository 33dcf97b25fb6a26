import type { endpoints } from "@lakehelm/contract";

export type OperationName = keyof typeof endpoints;

/** A command that calls one operation of the API. Its arguments and flags come from the contract. */
export interface OperationCommand {
  readonly operation: OperationName;
  /** Each example is the text after `lakehelm`. */
  readonly examples: readonly string[];
  /** More requests for `-f`, by purpose. The help shows them before the example of the contract. */
  readonly requests?: Readonly<Record<string, unknown>>;
  /** Default: the summary of the operation. */
  readonly summary?: string;
  /** The columns of the table, as paths into an item: `cause.trigger`. */
  readonly columns?: readonly string[];
  /** The key of the list in the answer that the table shows. Default: the only list of a list answer. */
  readonly rows?: string;
  /** Values of path parameters that the command itself determines. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The argument is a resource of this kind, whose job the operation runs. */
  readonly jobOf?: "connector" | "flow";
  /**
   * A field of the body that must not be on a command line: the command asks for it, or reads it from the standard
   * input.
   */
  readonly secret?: string;
  /** Fields of the body that are arguments, not flags. */
  readonly positional?: readonly string[];
  /** Values of the body that the command itself determines. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The operation continues after the answer. `--watch` reads the result with this operation until it has ended. */
  readonly ends?: { readonly operation: OperationName; readonly parameter: string };
  /** The operation starts a run, which `--watch` follows: the key of the run's id in the answer. */
  readonly starts?: "id" | "update_id";
}

export interface CommandGroup {
  readonly about: string;
  readonly commands: Readonly<Record<string, OperationCommand>>;
}
