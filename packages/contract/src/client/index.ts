export { createClient } from "./client.ts";
export { ApiError, type ApiErrorKind } from "./error.ts";
export type {
  Client,
  ClientCall,
  ClientOptions,
  ClientResult,
  FollowOptions,
  FullResponse,
} from "./types.ts";
