export { createClient } from "./client.ts";
export { ApiError, type ApiErrorKind } from "./error.ts";
export type { Answer, Call, Client, ClientOptions, FollowOptions, FullAnswer } from "./types.ts";
