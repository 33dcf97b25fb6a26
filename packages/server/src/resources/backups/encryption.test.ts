import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  backupKey,
  chunkBytes,
  decryptFile,
  encryptFile,
  newBackupKey,
  readPrivateKey,
  readPublicKey,
} from "./encryption.ts";

const pair = () => {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  return {
    publicKey: publicKey.export({ format: "pem", type: "spki" }).toString(),
    privateKey: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  };
};

test("only the private key finds the key of a backup, and each backup has another one", () => {
  const own = pair();
  const base64 = own.publicKey.split("\n").slice(1, -2).join("");
  const first = newBackupKey(readPublicKey(own.publicKey), randomBytes);
  const second = newBackupKey(readPublicKey(base64), randomBytes);
  for (const { key, encryption } of [first, second])
    assert.deepEqual(backupKey(encryption, readPrivateKey(own.privateKey)), key);
  assert.notDeepEqual(first.key, second.key);
  assert.throws(() => backupKey(first.encryption, readPrivateKey(pair().privateKey)), /for another key/);
  const ed25519 = generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" });
  for (const text of [ed25519.toString(), "nothing", own.privateKey.slice(0, 40)])
    assert.throws(() => readPublicKey(text), /openssl genpkey -algorithm X25519/);
});

test("files of any size are decrypted as they were; one with exchanged, missing or changed chunks is not", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-backup-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const key = randomBytes(32);
  let n = 0;
  const decrypt = async (bytes: Buffer, path: string) => {
    const [from, to] = [join(folder, `${++n}.enc`), join(folder, `${n}.out`)];
    await writeFile(from, bytes);
    const sum = await decryptFile({ from, to, path }, key);
    assert.equal(sum, createHash("sha256").update(bytes).digest("hex"));
    return readFile(to);
  };
  for (const size of [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes + 7]) {
    const plain = randomBytes(size);
    const [from, to] = [join(folder, `${++n}`), join(folder, `${n}.enc`)];
    await writeFile(from, plain);
    await encryptFile({ from, to, path: "data/a" }, key, randomBytes);
    const sealed = await readFile(to);
    assert.ok((await decrypt(sealed, "data/a")).equals(plain), `${size}`);
    const changed = /was changed\. Use another backup\./;
    await assert.rejects(decrypt(sealed, "data/b"), changed);
    for (const at of [0, 15, 16, sealed.length - 1]) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
      await assert.rejects(decrypt(flipped, "data/a"), changed);
    }
    const sealedChunk = chunkBytes + 16;
    for (const length of [0, 10, 20, 16 + sealedChunk, sealed.length - 1])
      if (length < sealed.length)
        await assert.rejects(decrypt(sealed.subarray(0, length), "data/a"), changed);
    if (size > 2 * chunkBytes) {
      const [first, second, rest] = [
        sealed.subarray(16, 16 + sealedChunk),
        sealed.subarray(16 + sealedChunk, 16 + 2 * sealedChunk),
        sealed.subarray(16 + 2 * sealedChunk),
      ];
      const exchanged = Buffer.concat([sealed.subarray(0, 16), second, first, rest]);
      await assert.rejects(decrypt(exchanged, "data/a"), changed);
    }
  }
});
