import { setTimeout } from "node:timers/promises";
import type { Dependencies } from "../../core/dependencies.ts";
import { unavailable } from "../../core/errors.ts";
import { jwtKey } from "../../core/secrets/keyring.ts";
import type { Authenticate } from "../http/caller.ts";
import { createAuthenticator, serviceTokenMatcher } from "./authenticate.ts";
import { type ClientJwt, createClientJwt } from "./client-jwt.ts";
import { databricksWorkspace } from "./databricks-workspace.ts";
import { embeddedWorkspace } from "./embedded-workspace.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { type Cost, createPasswords } from "./passwords.ts";
import { personalTokens } from "./personal-token.ts";
import { roleRule } from "./roles.ts";
import { identityStore } from "./store.ts";
import { createTokenCache } from "./token-cache.ts";
import { createTokenExchange, type TokenExchange } from "./token-exchange.ts";
import { createTokens, type Tokens } from "./tokens.ts";
import { createUsers, type Users } from "./users.ts";
import type { Workspace } from "./workspace.ts";

/** Authentication and its stores, created from the settings and the store. */
export interface Identity {
  readonly authenticate: Authenticate;
  readonly exchange: TokenExchange;
  readonly workspace: Workspace;
  /** For local processes that call the API. */
  readonly issue: ClientJwt["issue"];
  /** Undefined if an external workspace manages the users. */
  readonly embedded: { readonly users: Users; readonly tokens: Tokens } | undefined;
}

export interface IdentityOptions {
  /** The token that a first start generated, if the settings have none. */
  readonly madeServiceToken?: string | undefined;
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
  const cache = createTokenCache({ lookUp, now, key: system.randomBytes(32) });
  const jwt = createClientJwt(await jwtKey(deps), settings.PLATFORM_TOKEN_TTL_SECONDS, system);
  const roleOf = roleRule(settings);
  const isServiceToken = serviceTokenMatcher([
    settings.PLATFORM_SERVICE_AUTH_TOKEN ?? options.madeServiceToken,
    settings.PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS,
  ]);

  return {
    authenticate: createAuthenticator({ isServiceToken, jwt, cache, workspace, roleOf }),
    exchange: createTokenExchange({
      settings,
      workspace,
      jwt,
      roleOf,
      slowDown: createLoginThrottle({ now, pause }),
    }),
    workspace,
    issue: jwt.issue,
    embedded:
      url === undefined
        ? {
            users: createUsers(deps, state, passwords, cache),
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
