import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { weaknessOf } from "../text/secret-strength.ts";
import { listFields, listQuery, nextCursor } from "./lists.ts";
import { createdAt, createdBy, Done, dateTime, exampleIds, exampleTime, total, updatedAt } from "./shared.ts";

const role = () => s.literal("none", "viewer", "operator", "admin");

/** 8 characters are guessed within hours from a stolen hash. */
const leastPassword = 12;

const password = () =>
  s.string({ min: leastPassword }).rule((value) => {
    const weakness = weaknessOf(value, leastPassword);
    return (
      weakness && { message: `A password must ${weakness}.`, expected: "characters that are hard to guess" }
    );
  });

const passwordRules =
  "At least 12 characters, not only common words, names, repeated or consecutive characters.";

export const User = s.model("User", {
  id: s.string().describe("UUID of the user."),
  username: s.string().describe("Unique, such as `ada@example.com`. It never changes."),
  role: role().describe("On the whole server. `none`: only the roles in environments count."),
  active: s.boolean().describe("Tokens of an inactive user are rejected with 403."),
  created_at: createdAt(),
  updated_at: updatedAt(),
  created_by: createdBy(),
});
export type User = s.Infer<typeof User>;

const UserCreateRequest = s.model("UserCreateRequest", {
  username: s.string({ min: 1 }).describe("Unique among all users, such as `ada@example.com`."),
  password: password().optional().describe(`${passwordRules} Default: none. The user can only use tokens.`),
  role: role().optional().describe("Default: the server's default role."),
});

const UserUpdateRequest = s.model("UserUpdateRequest", {
  password: password().optional().describe(`The new password. ${passwordRules}`),
  role: role()
    .optional()
    .describe("The new role on the whole server. `none`: only the roles in environments count."),
  active: s
    .boolean()
    .optional()
    .describe("Whether the user may call at all. Tokens of an inactive user are rejected with 403."),
  revoke_tokens: s
    .boolean()
    .optional()
    .describe(
      "Whether to delete all personal access tokens of the user. Absent: they are deleted with a new password.",
    ),
});

export const Token = s.model("Token", {
  id: s.string().describe("UUID of the token, to revoke it."),
  username: s.string().describe("The user that it acts as."),
  comment: s.string().describe("What the token is for. Empty if nothing was said."),
  created_at: createdAt(),
  expires_at: dateTime().nullable().describe("When it expires; null: it is valid until it is revoked."),
  created_by: createdBy(),
});
export type Token = s.Infer<typeof Token>;

const IssuedToken = s.model("IssuedToken", {
  token: s
    .string()
    .describe("The personal access token. It is returned only once: the server stores its hash."),
  details: Token.describe("The token without its value, as lists show it."),
});

const TokenCreateRequest = s.model("TokenCreateRequest", {
  comment: s.string().default("").describe("What the token is for, such as `laptop`."),
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
  changes: "nothing",
  path: "/api/v1/users",
  scope: "server",
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
  scope: "server",
  summary: "List the users",
  query: listQuery(listFields.users),
  response: s.model("UserList", {
    users: s.list(User).describe("The users on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  example: { response: { users: [user], total: 1 } },
});

export const getUser = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/users/{user_id}",
  scope: "server",
  summary: "Read a user",
  response: User,
  errors: [404],
  versioned: true,
  example: { response: user },
});

export const updateUser = endpoint({
  ...shared,
  method: "PATCH",
  changes: "nothing",
  path: "/api/v1/users/{user_id}",
  scope: "server",
  summary: "Change a user's role, password or active state",
  description:
    "A new password, and a change of `active`, end the user's JWTs and app sessions at once. A new password also deletes the personal access tokens, unless `revoke_tokens` is false. A new role counts from the next request.",
  body: UserUpdateRequest,
  response: User,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: { active: false }, response: { ...user, active: false } },
});

export const deleteUser = endpoint({
  ...shared,
  method: "DELETE",
  changes: "nothing",
  path: "/api/v1/users/{user_id}",
  scope: "server",
  summary: "Delete a user and all of their tokens",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "User ada@example.com and 1 token deleted." } },
});

export const createToken = endpoint({
  ...shared,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/users/{user_id}/tokens",
  scope: "server",
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
  scope: "server",
  summary: "List a user's tokens, without their values",
  query: listQuery(listFields.tokens),
  response: s.model("TokenList", {
    tokens: s.list(Token).describe("The tokens on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404],
  example: { response: { tokens: [token], total: 1 } },
});

export const revokeToken = endpoint({
  ...shared,
  method: "DELETE",
  changes: "nothing",
  path: "/api/v1/users/{user_id}/tokens/{token_id}",
  scope: "server",
  summary: "Revoke a token",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "Token revoked." } },
});
