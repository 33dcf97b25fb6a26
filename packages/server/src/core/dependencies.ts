import type { Settings } from "../settings.ts";
import type { Vault } from "./secrets/vault.ts";
import type { Store } from "./store/store.ts";
import type { System } from "./system.ts";

/** What every noun is made of. main.ts makes the parts once and passes them down. */
export interface Dependencies {
  readonly settings: Settings;
  readonly store: Store;
  readonly vault: Vault;
  readonly system: System;
}
