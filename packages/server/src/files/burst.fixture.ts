/** Writes files until it is killed, four at a time, and tells each one that was acknowledged. */
import { randomBytes } from "node:crypto";
import { createEnvironments } from "../environments/environments.ts";
import { uuidV7 } from "../ids.ts";
import { createEmbeddedPlatform } from "../platforms/embedded/index.ts";
import { createWork } from "../platforms/work.ts";
import { openVault } from "../secrets/vault.ts";
import { readSettings } from "../settings.ts";
import { openDatabase } from "../store/open.ts";
import { createStore } from "../store/store.ts";
import { openFiles } from "./files.ts";

const folder = process.argv[2] as string;
const nature = { now: () => new Date(), newId: uuidV7(Date.now, randomBytes), randomBytes };
const { engine } = await openDatabase(undefined, folder);
const store = createStore(engine, nature.newId);
const settings = readSettings({ PLATFORM_DATA_DIR: folder });
const parts = { settings, store, nature, vault: openVault("a secret key for tests", randomBytes) };
const environments = createEnvironments(parts, createWork(store, [createEmbeddedPlatform(store)]));
const by = () => ({ actor: "burst", requestId: null, time: nature.now().toISOString() });
await environments.ensureDefault(by());
const environment = (await environments.read("local")).doc;
const files = await openFiles(parts, environments);

async function write(lane: number): Promise<void> {
  for (let n = lane; ; n += 4) {
    const path = `lane-${lane}/${n % 3}`;
    await files.put(environment, path, Buffer.from(`${n};`.repeat(20_000)), by());
    process.stdout.write(`${path} ${n}\n`);
  }
}
await Promise.all([0, 1, 2, 3].map(write));
