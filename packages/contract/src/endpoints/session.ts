import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { TokenResponse } from "./auth.ts";
import { exampleIds, exampleTime } from "./shared.ts";

const role = () => s.literal("none", "viewer", "operator", "admin");

const Session = s.model("Session", {
  name: s.string().describe("Who is calling: the name of a user, of a client, or `internal-service`."),
  role: role().describe("On the whole server. `none`: only the roles in environments count."),
  auth_type: s
    .literal("service_token", "client_jwt", "user_token")
    .describe("The kind of the token in this request, as in `GET /api/v1/auth/status`."),
  manages_users: s
    .boolean()
    .describe("Whether this server manages users and tokens; false: an external workspace does."),
  environments: s
    .list(
      s.model("SessionEnvironment", {
        id: s.string().describe("UUID of the environment."),
        name: s.string().describe("Unique. Accepted wherever an environment is named."),
        platform: s.string().describe("Name of the platform that runs its jobs, such as `embedded`."),
        protected: s.boolean().describe("Only admins may change it and what is in it."),
        is_active: s.boolean().describe("Whether anything may run in it."),
        role: role().describe("The caller's role there."),
      }),
    )
    .describe("The environments that the caller can see, by name: up to 1,000."),
  default_environment: s.string().describe("The name of the environment of requests that name none."),
  last_event: s
    .integer()
    .describe(
      "Sequence of the last event in the log. Follow the log after it to learn what changes from now on.",
    ),
});

export const getSession = endpoint({
  method: "GET",
  path: "/api/v1/session",
  scope: "any",
  tag: "Authentication",
  summary: "Get the caller, its roles and its environments",
  description: "What a user interface needs to know first, in one request.",
  access: "viewer",
  response: Session,
  example: {
    response: {
      name: "ada@example.com",
      role: "operator",
      auth_type: "user_token",
      manages_users: true,
      environments: [
        {
          id: exampleIds.environment,
          name: "local",
          platform: "embedded",
          protected: false,
          is_active: true,
          role: "operator",
        },
      ],
      default_environment: "local",
      last_event: 128,
    },
  },
});

export const exchangeSignInCode = endpoint({
  isBounded: true,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/auth/code",
  scope: "server",
  tag: "Authentication",
  summary: "Exchange a sign-in code for a token",
  description:
    "A server that starts in development prints a link to the console with such a code (`PLATFORM_CONSOLE_LINK`). It is valid once, for 15 minutes, on the server that printed it. The token is that of an admin.",
  access: "public",
  effect: "issues a token",
  body: s.model("SignInCodeRequest", {
    code: s.string({ min: 1, max: 200 }).describe("The code in the link, after `#code=`."),
  }),
  response: TokenResponse,
  errors: [401],
  example: {
    body: { code: "6Zt0nq3mJ1xVb8eYcW4kUA" },
    response: {
      access_token: "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
      token_type: "Bearer",
      expires_in: 3600,
      expires_at: exampleTime,
      workspace: "embedded",
    },
  },
});
