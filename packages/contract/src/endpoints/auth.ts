import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { dateTime, exampleTime } from "./shared.ts";

const AuthStatusResponse = s.model("AuthStatusResponse", {
  authenticated: s.boolean(),
  auth_type: s.literal("service_token", "client_jwt", "user_token"),
  workspace: s.string().describe("The URL of the workspace, or `embedded`."),
  client_id: s.string().describe("The configured client, or an empty string."),
  platform_client_configured: s.boolean(),
});

const ClientTokenRequest = s.model("ClientTokenRequest", {
  client_id: s.string(),
  client_secret: s.string(),
});
const UserTokenRequest = s.model("UserTokenRequest", {
  username: s.string(),
  password: s.string(),
});

/** A body with `client_id` or `client_secret` is the client form, any other body the user form. */
const TokenRequest = s.choice(
  "TokenRequest",
  (raw) => (s.has(raw, "client_id") || s.has(raw, "client_secret") ? 0 : 1),
  ClientTokenRequest,
  UserTokenRequest,
);

const TokenResponse = s.model("TokenResponse", {
  access_token: s.string().describe("A signed JWT."),
  token_type: s.literal("Bearer", "bearer"),
  expires_in: s.integer().describe("In seconds."),
  expires_at: dateTime(),
  workspace: s.string(),
});

export const getAuthStatus = endpoint({
  number: 1,
  method: "GET",
  path: "/api/v1/auth/status",
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
  number: 2,
  method: "POST",
  path: "/api/v1/auth/token",
  tag: "Authentication",
  summary: "Exchange credentials for a token",
  description:
    "Takes `client_id` and `client_secret`, or `username` and `password`. Returns 401 for wrong credentials. The client form returns 503 if no client is configured. Failed attempts of a client are throttled.",
  access: "public",
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
