import { userInfo } from "node:os";
import type { Endpoint } from "@lakehelm/contract";
import type { Field } from "../input/fields.ts";
import type { PagedList } from "../pages.ts";
import type { OperationCommand } from "../table/spec.ts";

/** The arguments and flags of a command, by their names in the contract. */
export interface OperationShape {
  readonly spec: OperationCommand;
  readonly endpoint: Endpoint;
  readonly list: PagedList | undefined;
  /** The positional arguments: path parameters, then fields of the body. */
  readonly params: readonly string[];
  readonly query: readonly Flag[];
  readonly body: readonly Flag[];
  /** Fields with the requester's name. Default: the user's name. */
  readonly askedBy: readonly string[];
  /** Whether the query or the body has a field `environment`, which `--env` sets. */
  readonly environmentIn: "query" | "body" | undefined;
}

export interface Flag {
  readonly field: Field;
  readonly attribute: string;
}

/** How many items of a history are shown without `--limit`. */
export const shortHistory = 100;

export const userName = (): string => userInfo().username;
