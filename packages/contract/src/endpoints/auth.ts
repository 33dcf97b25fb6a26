import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { dateTime, exampleTime } from "./shared.ts";

const AuthStatusResponse = s.model("AuthStatusResponse", {
  authenticated: s.boolean().describe("Always true: without a valid token the response is 401."),
  auth_type: s
    .literal("service_token", "client_jwt", "user_token")
    .describe(
      "The kind of the token in this request: the service token, a JWT from `/api/v1/auth/token`, or a personal access token.",
    ),
  workspace: s.string().describe("The URL of the workspace, or `embedded`."),
  client_id: s.string().describe("The configured client, or an empty string."),
  platform_client_configured: s
    .boolean()
    .describe("Whether the server accepts client credentials at `/api/v1/auth/token`."),
});

const ClientTokenRequest = s.model("ClientTokenRequest", {
  client_id: s.string().describe("The server's `PLATFORM_CLIENT_ID`."),
  client_secret: s.string().describe("The server's `PLATFORM_CLIENT_SECRET`."),
});
const UserTokenRequest = s.model("UserTokenRequest", {
  username: s.string().describe("Name of a user of the workspace, such as `ada@example.com`."),
  password: s.string().describe("The user's password."),
});

/** A body with `client_id` or `client_secret` is the client form, any other body the user form. */
const TokenRequest = s.choice(
  "TokenRequest",
  (raw) => (s.has(raw, "client_id") || s.has(raw, "client_secret") ? 0 : 1),
  ClientTokenRequest,
  UserTokenRequest,
);

export const TokenResponse = s.model("TokenResponse", {
  access_token: s.string().describe("A signed JWT. Send it as `Authorization: Bearer <token>`."),
  token_type: s
    .string()
    .describe("`Bearer` for client credentials, `bearer` for a user. Both mean the same."),
  expires_in: s
    .integer()
    .describe("Seconds until the token expires. There is no refresh: request a new one."),
  expires_at: dateTime().describe("When the token expires."),
  workspace: s.string().describe("URL of the workspace that the token is for, or `embedded`."),
});

export const getAuthStatus = endpoint({
  number: 1,
  method: "GET",
  path: "/api/v1/auth/status",
  scope: "any",
  tag: "Authentication",
  summary: "Get the caller's authentication status",
  access: "viewer",
  response: AuthStatusResponse,
  example: {
    response: {
      authenticated: true,
      auth_type: "service_token",
      workspace: "embedded",
      client_id: "",
      platform_client_configured: false,
    },
  },
});

export const exchangeToken = endpoint({
  isBounded: true,
  number: 2,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/auth/token",
  scope: "server",
  tag: "Authentication",
  summary: "Exchange credentials for a token",
  description:
    "Takes `client_id` and `client_secret`, or `username` and `password`. Returns 401 for wrong credentials. The client form returns 503 if no client is configured. Failed attempts of a client are throttled.",
  access: "public",
  effect: "issues a token",
  body: TokenRequest,
  response: TokenResponse,
  errors: [401, 403],
  example: {
    body: { client_id: "ci", client_secret: "s3cret" },
    response: {
      access_token: "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
      token_type: "Bearer",
      expires_in: 3600,
      expires_at: exampleTime,
      workspace: "embedded",
    },
  },
});
