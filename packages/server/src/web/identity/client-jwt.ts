import type { JWTPayload } from "jose";
import { unauthorized } from "../../core/errors.ts";
import type { System } from "../../core/system.ts";
import type { Role, ServerRole } from "../http/handler.ts";
import { isRole, isServerRole } from "./roles.ts";

const issuer = "lakehelm";
const algorithm = "HS256";
const requiredClaims = ["iss", "sub", "iat", "exp", "jti", "role"];

/** The user that a JWT was issued to, and the session that it belongs to. */
interface SessionUser {
  readonly id: string;
  readonly workspace: string;
  readonly session?: string | undefined;
}

/** The claims of our JWTs: a client and its role, or a user of a workspace. */
export interface Claims {
  readonly name: string;
  readonly role: ServerRole;
  /** A role in one environment only, for a process of that environment. */
  readonly environment?: { readonly id: string; readonly role: Role } | undefined;
  readonly user?: SessionUser | undefined;
}

export interface ClientJwt {
  issue(claims: Claims): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** Undefined: the token is not one of our JWTs, so it may still be a token of the workspace. */
  verify(token: string): Promise<Claims | undefined>;
}

/** The clocks of servers on one database may differ. */
const skewSeconds = 60;

export function createClientJwt(
  secret: Uint8Array<ArrayBuffer>,
  ttlSeconds: number,
  system: Pick<System, "now" | "newId">,
): ClientJwt {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const load = async () => ({
    jose: await import("jose"),
    key: await crypto.subtle.importKey("raw", secret, hmac, false, ["sign", "verify"]),
  });
  // Loaded with the first JWT: jose and Web Crypto take 10 MB, and many servers see no JWT.
  let loaded: ReturnType<typeof load> | undefined;

  return {
    async issue({ name, role, user, environment }) {
      loaded ??= load();
      const { jose, key } = await loaded;
      const issuedAt = Math.floor(system.now().getTime() / 1000);
      const expiresAt = issuedAt + ttlSeconds;
      const token = await new jose.SignJWT({
        role,
        ...(user && userClaims(user)),
        ...(environment && { environment }),
      })
        .setProtectedHeader({ alg: algorithm, typ: "JWT" })
        .setIssuer(issuer)
        .setSubject(name)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .setJti(system.newId())
        .sign(key);
      return { token, expiresAt: new Date(expiresAt * 1000) };
    },
    async verify(token) {
      // Personal access tokens have no dots: skips the attempt to parse them.
      if (!token.includes(".")) return undefined;
      loaded ??= load();
      const { jose, key } = await loaded;
      try {
        const { payload } = await jose.jwtVerify(token, key, {
          algorithms: [algorithm],
          issuer,
          requiredClaims,
          currentDate: system.now(),
        });
        // The token was issued while a clock was ahead: it would be valid for too long.
        if ((payload.iat ?? 0) > system.now().getTime() / 1000 + skewSeconds)
          throw unauthorized("The token was issued in the future: exchange your credentials for a new one.");
        return claimsOf(payload);
      } catch (error) {
        // jose checks the signature and the issuer first: so an expired token is one of ours.
        if (error instanceof jose.errors.JWTExpired) {
          throw unauthorized("The token has expired: exchange your credentials for a new one.");
        }
        if (error instanceof jose.errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

const userClaims = ({ id, workspace, session }: SessionUser) => ({
  uid: id,
  workspace,
  ...(session !== undefined && { session }),
});

function claimsOf({ sub, role, uid, workspace, session, environment }: JWTPayload): Claims | undefined {
  if (sub === undefined || !isServerRole(role)) return undefined;
  if (uid === undefined)
    return { name: sub, role, ...(environment !== undefined && environmentClaim(environment)) };
  if (typeof uid !== "string" || typeof workspace !== "string") return undefined;
  if (session !== undefined && typeof session !== "string") return undefined;
  return { name: sub, role, user: { id: uid, workspace, session } };
}

function environmentClaim(claim: unknown): Pick<Claims, "environment"> {
  const { id, role } = (claim ?? {}) as { readonly id?: unknown; readonly role?: unknown };
  return typeof id === "string" && isRole(role) ? { environment: { id, role } } : {};
}
