import { createHmac } from "node:crypto";
import type { WorkspaceUser } from "./workspace.ts";

const standardLifetimeMs = 5 * 60_000;

/** Caches the user of a token for five minutes, unless told otherwise. Failures are never cached. */
export interface TokenCache {
  userOf(token: string): Promise<WorkspaceUser>;
  /** The user was changed or deleted: the next lookup queries the workspace again. */
  forgetUser(name: string): void;
  /** The token was revoked. */
  forgetToken(id: string): void;
  forgetAll(): void;
}

export interface CachedUser {
  readonly user: WorkspaceUser;
  /** When the entry expires, by the monotonic clock. */
  readonly untilMs: number;
}

export interface TokenCacheOptions {
  lookUp(token: string): Promise<WorkspaceUser>;
  now(): Date;
  monotonicMs(): number;
  /** Unique to this process: without it the keys reveal nothing about the tokens. */
  readonly key: Buffer;
  /** 0: nothing is cached. */
  readonly lifetimeMs?: number;
  readonly size?: number;
  readonly entries?: Map<string, CachedUser>;
}

export function createTokenCache({
  lookUp,
  now,
  monotonicMs,
  key,
  lifetimeMs = standardLifetimeMs,
  size = 10_000,
  entries = new Map(),
}: TokenCacheOptions): TokenCache {
  const pending = new Map<string, Promise<WorkspaceUser>>();

  function remember(digest: string, user: WorkspaceUser): void {
    entries.delete(digest);
    entries.set(digest, { user, untilMs: monotonicMs() + lifetimeMs });
    const [oldest] = entries.keys();
    if (entries.size > size && oldest !== undefined) entries.delete(oldest);
  }

  const isExpired = ({ token }: WorkspaceUser) => token?.expiresAt != null && token.expiresAt <= now();

  function forget(concerns: (user: WorkspaceUser) => boolean): void {
    for (const [digest, { user }] of entries) if (concerns(user)) entries.delete(digest);
    // Running lookups may have read the state before the change: their results are returned but not cached, and later
    // calls start a new lookup.
    pending.clear();
  }

  return {
    async userOf(token) {
      if (lifetimeMs === 0) return lookUp(token);
      const digest = createHmac("sha256", key).update(token).digest("base64");
      const entry = entries.get(digest);
      if (entry && monotonicMs() < entry.untilMs && !isExpired(entry.user)) return entry.user;

      const shared = pending.get(digest);
      if (shared) return shared;
      const lookup = lookUp(token);
      pending.set(digest, lookup);
      const isCurrent = () => pending.get(digest) === lookup;
      try {
        const user = await lookup;
        if (isCurrent()) remember(digest, user);
        return user;
      } finally {
        if (isCurrent()) pending.delete(digest);
      }
    },
    forgetUser: (name) => forget((user) => user.name === name),
    forgetAll: () => forget(() => true),
    forgetToken: (id) => forget((user) => user.token?.id === id),
  };
}
