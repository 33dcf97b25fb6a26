import type { RestAuth } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import { isRecord } from "../source/json/exact-json.ts";

/** A request for a token: its body is a form, and its answer JSON. */
export interface TokenRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A token is renewed this long before it expires, so that it does not expire while a request is on its way. */
const marginMs = 30_000;
const longestSeconds = 86_400;

/** Keeps an access token until it expires. */
export interface AccessToken {
  get(): Promise<string>;
  /** The API has refused this token: the next `get` requests another. */
  drop(token: string): void;
}

export function createAccessToken(
  auth: RestAuth,
  request: (token: TokenRequest) => Promise<unknown>,
  now: () => number,
): AccessToken {
  let kept: { readonly token: string; readonly expiresAt: number } | undefined;
  let requested: Promise<string> | undefined;
  async function renew(): Promise<string> {
    const answer = await request(tokenRequest(auth));
    kept = readToken(answer, auth.tokenUrl, now());
    return kept.token;
  }
  return {
    async get() {
      if (kept && now() < kept.expiresAt) return kept.token;
      // Requests that are made at the same time wait for the same token.
      requested ??= renew().finally(() => {
        requested = undefined;
      });
      return requested;
    },
    drop(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}

function tokenRequest(auth: RestAuth): TokenRequest {
  const { tokenUrl, clientId, clientSecret, scope, audience, clientAuthentication } = auth;
  const isBasic = clientAuthentication === "basic";
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(!isBasic && { client_id: clientId, client_secret: clientSecret }),
  });
  const basic = [clientId, clientSecret].map(formEncoded).join(":");
  return {
    url: tokenUrl,
    headers: {
      Accept: "application/json",
      "Content-Type": "application/x-www-form-urlencoded",
      ...(isBasic && { Authorization: `Basic ${Buffer.from(basic).toString("base64")}` }),
    },
    body: form.toString(),
  };
}

/** RFC 6749, section 2.3.1: id and secret are form-encoded before they are joined. */
const formEncoded = (value: string) => new URLSearchParams({ v: value }).toString().slice(2);

/** The answer is not quoted: it may hold a token. */
function readToken(answer: unknown, tokenUrl: string, now: number) {
  const {
    access_token: token,
    token_type: type = "bearer",
    expires_in: expires,
  } = isRecord(answer) ? answer : {};
  if (typeof token !== "string" || token === "" || /[^!-~]/.test(token)) {
    throw new DataProblem(`${tokenUrl.split("?", 1)[0]} does not respond with an access_token.`);
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    throw new DataProblem(`${tokenUrl.split("?", 1)[0]} responds with a token that is not a bearer token.`);
  }
  const seconds = Number(expires ?? 300);
  const valid = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestSeconds) : 300;
  // A short-lived token is used for at least half of its time.
  return { token, expiresAt: now + Math.max(valid * 500, valid * 1000 - marginMs) };
}
