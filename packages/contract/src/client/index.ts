export { createClient } from "./client.ts";
export { ApiError, type ApiErrorKind } from "./error.ts";
export { operationOf } from "./operations.ts";
export type { ClientOptions, FollowOptions, FullResponse } from "./options.ts";
export type { Client, ClientCall, ClientResult } from "./types.ts";
