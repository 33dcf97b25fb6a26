import type { Settings } from "../../settings.ts";
import { secretMatcher } from "./authenticate.ts";

export interface ConfiguredClient {
  readonly id: string;
  matches(id: string, secret: string): boolean;
}

/** The client that may exchange its secret: present only if both its id and its secret are set. */
export function configuredClient(settings: Settings): ConfiguredClient | undefined {
  const { PLATFORM_CLIENT_ID: id, PLATFORM_CLIENT_SECRET: secret } = settings;
  if (id === undefined || secret === undefined) return undefined;
  const isId = secretMatcher([id]);
  const isSecret = secretMatcher([secret]);
  // Always compares both, so that the time reveals nothing about either.
  return { id, matches: (sentId, sentSecret) => [isId(sentId), isSecret(sentSecret)].every(Boolean) };
}
