import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openVault } from "../../core/secrets/vault.ts";
import { type Manifest, manifestKey, printManifest, readManifest } from "./manifest.ts";

const manifest: Manifest = {
  format: 2,
  id: "20260301T120000000Z-9f3a1c02",
  created_at: "2026-03-01T12:00:00.000Z",
  created_by: "Zoë",
  ended_at: "2026-03-01T12:00:09.000Z",
  state_at: "2026-03-01T12:00:00.100Z",
  event_sequence: 128,
  includes_state: true,
  held_ms: 950,
  files: 214,
  bytes: 1_073_741_824,
  server_version: "0.1.0",
  schema_version: 18,
  data_folder_id: "019f2ab4",
  secret_key_fingerprint: "x",
  checksums: "0".repeat(64),
};
const keyOf = (secret: string) => manifestKey(openVault(secret, Buffer.alloc));

test("a manifest with one changed, added or removed byte anywhere is not signed", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-backup-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const key = keyOf("a secret key for tests");
  const isSigned = async (bytes: Uint8Array | string, by = key) => {
    await writeFile(join(folder, "manifest.json"), bytes);
    return (await readManifest(folder))?.isSignedWith(by) === true;
  };
  const bytes = Buffer.from(printManifest(manifest, key));
  assert.equal(await isSigned(bytes), true);
  assert.equal(await isSigned(bytes, keyOf("another secret key")), false);
  for (let at = 0; at < bytes.length; at++) {
    const bits = Buffer.from(bytes);
    bits.writeUInt8(bits.readUInt8(at) ^ (1 << (at % 8)), at);
    const removed = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    const added = Buffer.concat([bytes.subarray(0, at), Buffer.from(" "), bytes.subarray(at)]);
    for (const changed of [bits, removed, added]) assert.equal(await isSigned(changed), false, `byte ${at}`);
  }
  for (const text of ["", "null", "[]", "{}", '{"format":2}', '{"format":2,"mac":null}', "x".repeat(100_000)])
    assert.equal(await isSigned(text), false, text.slice(0, 20));
});
