import { FakeError, type Routes } from "./route.ts";

/**
 * Tokens, and the identity of the caller. A wrong or expired token is 403 with a number as its code, a missing one is
 * 401.
 */
export function identityRoutes() {
  const state = {
    tokens: new Set<string>(),
    clients: new Map<string, string>(),
    tokenSeconds: 3_600,
    expireTokens: () => issued.clear(),
  };
  const issued = new Map<string, string>();
  let count = 0;
  const names = new Map<string, string>();

  function authorize(line: string, authorization: string | undefined): void {
    if (/^(?:POST \/oidc\/v1\/token$|GET \/(?:\.well-known|external)\/)/.test(line)) return;
    if (!authorization) throw new FakeError(401, 401, "Credential was not sent.");
    const token = authorization.replace(/^Bearer /, "");
    if (state.tokens.has(token) || issued.has(token)) return;
    throw new FakeError(
      403,
      403,
      "Invalid access token.",
      '{"error_code":403,"message":"Invalid access token."}',
    );
  }

  const routes: Routes = {
    "POST /oidc/v1/token": ({ authorization, text }) => {
      const [id = "", secret] = Buffer.from(authorization?.replace(/^Basic /, "") ?? "", "base64")
        .toString()
        .split(":");
      if (secret === undefined || state.clients.get(id) !== secret) {
        throw new FakeError(401, "", "", {
          error: "invalid_client",
          error_description: "Client authentication failed",
        });
      }
      if (new URLSearchParams(text).get("grant_type") !== "client_credentials") {
        throw new FakeError(400, "", "", { error: "unsupported_grant_type" });
      }
      count += 1;
      const token = `issued-token-${count}-${"x".repeat(20)}`;
      issued.set(token, id);
      names.set(token, id);
      return { access_token: token, token_type: "Bearer", expires_in: state.tokenSeconds };
    },
    "GET /api/2.0/preview/scim/v2/Me": ({ authorization }) => {
      const token = authorization?.replace(/^Bearer /, "") ?? "";
      const userName = names.get(token) ?? "ada@example.test";
      return { id: "7", userName, displayName: userName, groups: [] };
    },
  };
  return { state, authorize, routes };
}
