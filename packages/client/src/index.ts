export type { Client } from "./client.ts";
export { createClient } from "./client.ts";
export type * from "./generated/api.ts";
export { ApiError, type ApiErrorKind, type InvalidEntry } from "./runtime/client/error.ts";
export type {
  CallOptions,
  ClientOptions,
  FollowLogOptions,
  FollowOptions,
  FullResponse,
} from "./runtime/client/options.ts";
