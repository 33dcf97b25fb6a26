import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done, dateTime, exampleIds, exampleTime, paging } from "./shared.ts";

const role = () => s.literal("viewer", "operator", "admin");

export const User = s.model("User", {
  id: s.string(),
  username: s.string(),
  role: role(),
  active: s.boolean().describe("Tokens of an inactive user are rejected with 403."),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
});
export type User = s.Infer<typeof User>;

const UserCreateRequest = s.model("UserCreateRequest", {
  username: s.string({ min: 1 }),
  password: s.string({ min: 8 }).optional().describe("Default: none. The user can only use tokens."),
  role: role().optional().describe("Default: the server's default role."),
});

const UserUpdateRequest = s.model("UserUpdateRequest", {
  password: s.string({ min: 8 }).optional(),
  role: role().optional(),
  active: s.boolean().optional(),
});

export const Token = s.model("Token", {
  id: s.string(),
  username: s.string(),
  comment: s.string(),
  created_at: dateTime(),
  expires_at: dateTime().nullable(),
  created_by: s.string(),
});
export type Token = s.Infer<typeof Token>;

const IssuedToken = s.model("IssuedToken", {
  token: s
    .string()
    .describe("The personal access token. It is returned only once: the server stores its hash."),
  details: Token,
});

const TokenCreateRequest = s.model("TokenCreateRequest", {
  comment: s.string().default(""),
  lifetime_seconds: s
    .integer({ ge: 1 })
    .nullable()
    .optional()
    .describe("Null or absent: valid until revoked."),
});

const user = {
  id: exampleIds.user,
  username: "ada@example.com",
  role: "operator",
  active: true,
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "internal-service",
} as const;
const token = {
  id: exampleIds.token,
  username: "ada@example.com",
  comment: "laptop",
  created_at: exampleTime,
  expires_at: null,
  created_by: "internal-service",
};

const shared = { tag: "Users", access: "admin" } as const;
const only =
  "For the embedded workspace only. If a Databricks workspace is configured, it manages the users.";

export const createUser = endpoint({
  ...shared,
  method: "POST",
  path: "/api/v1/users",
  summary: "Create a user of the embedded workspace",
  description: only,
  body: UserCreateRequest,
  response: User,
  errors: [409],
  creates: true,
  versioned: true,
  example: { body: { username: "ada@example.com", password: "correct horse" }, response: user },
});

export const listUsers = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/users",
  summary: "List the users",
  query: paging,
  response: s.model("UserList", { users: s.list(User), total: s.integer() }),
  example: { response: { users: [user], total: 1 } },
});

export const getUser = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/users/{user_id}",
  summary: "Read a user",
  response: User,
  errors: [404],
  versioned: true,
  example: { response: user },
});

export const updateUser = endpoint({
  ...shared,
  method: "PATCH",
  path: "/api/v1/users/{user_id}",
  summary: "Change a user's role, password or active state",
  body: UserUpdateRequest,
  response: User,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: { active: false }, response: { ...user, active: false } },
});

export const deleteUser = endpoint({
  ...shared,
  method: "DELETE",
  path: "/api/v1/users/{user_id}",
  summary: "Delete a user and all of their tokens",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "User ada@example.com and 1 token deleted." } },
});

export const createToken = endpoint({
  ...shared,
  method: "POST",
  path: "/api/v1/users/{user_id}/tokens",
  summary: "Create a personal access token",
  description:
    "The response contains the token, and only this once. It is never replayed by `Idempotency-Key`.",
  body: TokenCreateRequest,
  response: IssuedToken,
  errors: [404, 409],
  example: { body: { comment: "laptop" }, response: { token: "lhp_0123456789abcdef", details: token } },
});

export const listTokens = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/users/{user_id}/tokens",
  summary: "List a user's tokens, without their values",
  query: paging,
  response: s.model("TokenList", { tokens: s.list(Token), total: s.integer() }),
  errors: [404],
  example: { response: { tokens: [token], total: 1 } },
});

export const revokeToken = endpoint({
  ...shared,
  method: "DELETE",
  path: "/api/v1/users/{user_id}/tokens/{token_id}",
  summary: "Revoke a token",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "Token revoked." } },
});
