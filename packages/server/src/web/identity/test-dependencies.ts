import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Dependencies } from "../../core/dependencies.ts";
import { openVault } from "../../core/secrets/vault.ts";
import { migrate } from "../../core/store/migrate.ts";
import { openSqlite } from "../../core/store/sqlite.ts";
import { createStore } from "../../core/store/store.ts";
import { type System, uuidV7 } from "../../core/system.ts";
import { readSettings } from "../../settings.ts";
import { signTestEvent } from "../../testing/store.ts";

/** Cheap scrypt parameters that do not slow the tests down. */
export const cheap = { N: 16, r: 1, p: 1 };

export interface TestSystem extends System {
  /** Advances the clock. */
  advance(ms: number): void;
  /** Sets the wall clock ahead or back, as when the time of a machine is corrected. */
  setAhead(ms: number): void;
}

/** A manual clock, and bytes that are the same in every run. */
export function testSystem(): TestSystem {
  let time = Date.UTC(2026, 2, 1, 12);
  let setMs = 0;
  let drawn = 0;
  const randomBytes = (size: number) => {
    const blocks = Array.from({ length: Math.ceil(size / 32) }, () => hash("sha256", `${drawn++}`, "buffer"));
    return Buffer.concat(blocks).subarray(0, size);
  };
  return {
    now: () => new Date(time + setMs),
    monotonicMs: () => time,
    newId: uuidV7(() => time + setMs, randomBytes),
    randomBytes,
    advance(ms) {
      time += ms;
    },
    setAhead(ms) {
      setMs += ms;
    },
  };
}

export async function testFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-identity-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

export interface TestParts extends Dependencies {
  readonly system: TestSystem;
}

/** Real dependencies on a new SQLite file. */
export async function testDependencies(
  t: TestContext,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestParts> {
  const system = testSystem();
  const engine = await openSqlite(join(await testFolder(t), "control.db"));
  await migrate(engine);
  const store = createStore(engine, system, signTestEvent);
  t.after(() => store.close());
  const vault = openVault("a secret key for tests", system.randomBytes);
  return { settings: readSettings(environment), store, vault, system: system };
}
