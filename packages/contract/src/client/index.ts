export { createClient } from "./client.ts";
export { ApiError, type ApiErrorKind } from "./error.ts";
export { decodeJson } from "./json.ts";
export type { Operation } from "./operation.ts";
export { operationOf } from "./operations.ts";
export type { ClientOptions, FollowOptions, FullResponse } from "./options.ts";
export type { UntypedCall } from "./request.ts";
export type { Client, ClientCall, ClientResult } from "./types.ts";
export { createUntypedClient } from "./untyped-client.ts";
