import { setTimeout } from "node:timers/promises";
import type { Dependencies } from "../../core/dependencies.ts";
import { unavailable } from "../../core/errors.ts";
import { jwtKey } from "../../core/secrets/keyring.ts";
import type { Authenticate, RateLimit } from "../http/call.ts";
import {
  type CallerNow,
  type CallerOf,
  createAuthenticator,
  serviceCaller,
  serviceTokenMatcher,
} from "./authenticate.ts";
import { type ClientJwt, createClientJwt } from "./client-jwt.ts";
import { databricksWorkspace } from "./databricks-workspace.ts";
import { embeddedWorkspace } from "./embedded-workspace.ts";
import { createGrants, type Grants } from "./grants.ts";
import { createLoginThrottle, type LoginThrottle } from "./login-throttle.ts";
import { type Cost, createPasswords } from "./passwords.ts";
import { personalTokens } from "./personal-token.ts";
import { roleRule } from "./roles.ts";
import { createSignInCodes, type SignInCodes } from "./sign-in-codes.ts";
import { identityStore } from "./store.ts";
import { createTokenCache } from "./token-cache.ts";
import { createTokenExchange, type TokenExchange } from "./token-exchange.ts";
import { createTokens, type Tokens } from "./tokens.ts";
import { createUsers, type Users } from "./users.ts";
import type { Workspace } from "./workspace.ts";

/** Authentication and its stores, created from the settings and the store. */
export interface Identity {
  readonly authenticate: Authenticate;
  /** The current state of a user in a session; undefined once the session has ended. */
  readonly callerOf: CallerOf;
  readonly callerNow: CallerNow;
  readonly exchange: TokenExchange;
  /** Exchanges a sign-in code for the token of an admin. */
  readonly exchangeCode: (code: string) => ReturnType<TokenExchange>;
  readonly codes: SignInCodes;
  readonly workspace: Workspace;
  /** The quota of waiting logins. */
  readonly quotas: LoginThrottle["quotas"];
  readonly grants: Grants;
  /** Clears the caches, after users, tokens or roles were written in a transaction scope. */
  forget(): void;
  /** For local processes that call the API. */
  readonly issue: ClientJwt["issue"];
  /** Undefined if an external workspace manages the users. */
  readonly embedded: { readonly users: Users; readonly tokens: Tokens } | undefined;
}

export interface IdentityOptions {
  /** The token that a first start generated, if the settings have none. */
  readonly madeServiceToken?: string | undefined;
  /** Counts credential exchanges. */
  readonly perAddress?: Pick<RateLimit, "count"> | undefined;
  readonly passwordCost?: Cost;
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export async function openIdentity(deps: Dependencies, options: IdentityOptions = {}): Promise<Identity> {
  const { settings, store, vault, system } = deps;
  const pause = options.pause ?? pauseFor;
  const now = () => system.now();

  const state = identityStore(store);
  const passwords = createPasswords(system.randomBytes, options.passwordCost);
  const personal = personalTokens(vault, system.randomBytes);
  const url = settings.PLATFORM_WORKSPACE_URL;
  const workspace =
    url === undefined
      ? embeddedWorkspace({ state, vault, passwords, personal, now })
      : databricksWorkspace({ url, timeoutMs: settings.PLATFORM_WORKSPACE_TIMEOUT_MS, pause });

  const lookUp = (token: string) => workspace.userOfToken(token);
  // Another server on the same database may revoke a token without this server's knowledge: then nothing is cached.
  const isShared = url === undefined && !store.engine.exclusive;
  const cache = createTokenCache({
    lookUp,
    now,
    monotonicMs: system.monotonicMs,
    key: system.randomBytes(32),
    ...(isShared && { lifetimeMs: 0 }),
  });
  const jwt = createClientJwt(await jwtKey(deps), settings.PLATFORM_TOKEN_TTL_SECONDS, system);
  const roleOf = roleRule(settings);
  const grants = createGrants(deps);
  const isServiceToken = serviceTokenMatcher([
    settings.PLATFORM_SERVICE_AUTH_TOKEN ?? options.madeServiceToken,
    settings.PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS,
  ]);

  const slowDown = createLoginThrottle({
    monotonicMs: system.monotonicMs,
    pause,
    perAddress: options.perAddress,
  });

  const codes = createSignInCodes(system);
  return {
    ...createAuthenticator({ isServiceToken, jwt, cache, workspace, roleOf, grantsOf: grants.of }),
    exchange: createTokenExchange({
      settings,
      workspace,
      jwt,
      roleOf,
      slowDown,
    }),
    codes,
    async exchangeCode(code) {
      codes.redeem(code);
      const { name, role } = serviceCaller;
      const { token, expiresAt } = await jwt.issue({ name, role });
      return {
        access_token: token,
        token_type: "Bearer",
        expires_in: settings.PLATFORM_TOKEN_TTL_SECONDS,
        expires_at: expiresAt.toISOString(),
        workspace: workspace.address,
      };
    },
    workspace,
    quotas: slowDown.quotas,
    grants,
    forget() {
      grants.forget();
      cache.forgetAll();
    },
    issue: jwt.issue,
    embedded:
      url === undefined
        ? {
            users: createUsers(deps, state, passwords, cache, grants),
            tokens: createTokens(deps, state, personal, cache),
          }
        : undefined,
  };
}

async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch((cause) => {
    throw unavailable("The request ended while it was waiting.", cause);
  });
}
