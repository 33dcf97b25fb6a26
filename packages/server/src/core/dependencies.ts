import type { Settings } from "../settings.ts";
import type { Vault } from "./secrets/vault.ts";
import type { Store } from "./store/store.ts";
import type { System } from "./system.ts";

/** What every resource is built on. server.ts builds it once and passes it down. */
export interface Dependencies {
  readonly settings: Settings;
  readonly store: Store;
  readonly vault: Vault;
  readonly system: System;
}
