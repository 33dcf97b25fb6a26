import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Settings } from "../../settings.ts";
import { readFully, writeFully } from "./copy.ts";

/** How the files of a backup are encrypted, as in its manifest. Keys are raw, in base64. */
export interface BackupEncryption {
  readonly scheme: "X25519-HKDF-SHA256-AES-256-GCM";
  /** The public key whose private key opens the backup. */
  readonly recipient: string;
  readonly ephemeral: string;
}

/** A chunk is authenticated as a whole before any of it is used. */
export const chunkBytes = 1024 * 1024;
const saltBytes = 16;
const tagBytes = 16;
/** The DER prefixes of X25519 keys (RFC 8410); the 32 bytes of the key follow. */
const privatePrefix = Buffer.from("302e020100300506032b656e04220420", "hex");
const publicPrefix = Buffer.from("302a300506032b656e032100", "hex");

/** From PEM, or only the base64 in it. Throws if it is not an X25519 key. */
export function readPublicKey(text: string): KeyObject {
  return requireX25519(() =>
    text.includes("BEGIN")
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" }),
  );
}

/** The key that backups are encrypted for; undefined: backups are not encrypted. */
export function readRecipient({
  PLATFORM_BACKUP_PUBLIC_KEY: text,
}: Pick<Settings, "PLATFORM_BACKUP_PUBLIC_KEY">): KeyObject | undefined {
  try {
    return text === undefined ? undefined : readPublicKey(text);
  } catch (error) {
    throw new Error(`PLATFORM_BACKUP_PUBLIC_KEY: ${(error as Error).message}`);
  }
}

/** From PEM. */
export const readPrivateKey = (text: string): KeyObject => requireX25519(() => createPrivateKey(text));

function requireX25519(read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    key = undefined;
  }
  if (key?.asymmetricKeyType === "x25519") return key;
  throw new Error("The key is not an X25519 key. Make one with: openssl genpkey -algorithm X25519");
}

/** The key of a new backup, and the fields of the manifest from which the private key derives it again. */
export function newBackupKey(
  recipient: KeyObject,
  randomBytes: (size: number) => Buffer,
): { readonly key: Buffer; readonly encryption: BackupEncryption } {
  const privateKey = createPrivateKey({
    key: Buffer.concat([privatePrefix, randomBytes(32)]),
    format: "der",
    type: "pkcs8",
  });
  const [ephemeral, to] = [rawPublicKey(createPublicKey(privateKey)), rawPublicKey(recipient)];
  return {
    key: derive(diffieHellman({ privateKey, publicKey: recipient }), ephemeral, to),
    encryption: {
      scheme: "X25519-HKDF-SHA256-AES-256-GCM",
      recipient: to.toString("base64"),
      ephemeral: ephemeral.toString("base64"),
    },
  };
}

/** The key of an encrypted backup. Throws if the backup was encrypted for another private key. */
export function backupKey({ recipient, ephemeral }: BackupEncryption, privateKey: KeyObject): Buffer {
  const own = rawPublicKey(createPublicKey(privateKey));
  if (own.toString("base64") !== recipient)
    throw new Error("The backup is encrypted for another key than the one you gave.");
  const raw = Buffer.from(ephemeral, "base64");
  const publicKey = createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: "der", type: "spki" });
  return derive(diffieHellman({ privateKey, publicKey }), raw, own);
}

const rawPublicKey = (key: KeyObject): Buffer =>
  key.export({ format: "der", type: "spki" }).subarray(publicPrefix.length);

const derive = (shared: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", shared, Buffer.concat([ephemeral, recipient]), "lakehelm backup", 32));

/** Each file has a key of its own that depends on its path: files cannot be exchanged. */
const fileKey = (key: Buffer, salt: Buffer, path: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, `lakehelm backup file ${path}`, 32));

/** Contains the number of the chunk and whether it is the last: chunks can be neither exchanged nor left out. */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunk), 3);
  nonce.writeUInt8(Number(isLast), 11);
  return nonce;
}

/** Writes the encrypted content of a file, a chunk at a time: salt, then each chunk with its tag. */
export async function encryptFile(
  { from, to, path }: { readonly from: string; readonly to: string; readonly path: string },
  key: Buffer,
  randomBytes: (size: number) => Buffer,
): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const [source, target] = [await open(from), await open(to, "wx", 0o600)];
  try {
    const salt = randomBytes(saltBytes);
    const own = fileKey(key, salt, path);
    await writeFully(target, salt, 0);
    const { size } = await source.stat();
    const buffer = Buffer.alloc(chunkBytes);
    let written = saltBytes;
    for (let chunk = 0; chunk === 0 || chunk * chunkBytes < size; chunk++) {
      const at = chunk * chunkBytes;
      const read = await readFully(source, buffer, Math.min(chunkBytes, size - at), at);
      const cipher = createCipheriv("aes-256-gcm", own, nonceOf(chunk, at + chunkBytes >= size));
      const parts = [cipher.update(buffer.subarray(0, read)), cipher.final(), cipher.getAuthTag()];
      for (const part of parts) {
        await writeFully(target, part, written);
        written += part.length;
      }
    }
    await target.sync();
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/** Decrypts a file, a chunk at a time, and returns the SHA-256 of the encrypted file. */
export async function decryptFile(
  { from, to, path }: { readonly from: string; readonly to: string; readonly path: string },
  key: Buffer,
): Promise<string> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const [source, target] = [await open(from), await open(to, "wx", 0o600)];
  try {
    const { size } = await source.stat();
    const hash = createHash("sha256");
    const salt = Buffer.alloc(saltBytes);
    hash.update(salt.subarray(0, await readFully(source, salt, saltBytes, 0)));
    const own = fileKey(key, salt, path);
    const buffer = Buffer.alloc(chunkBytes + tagBytes);
    let written = 0;
    for (let chunk = 0, at = saltBytes; chunk === 0 || at < size; chunk++, at += buffer.length) {
      const read = await readFully(source, buffer, buffer.length, at);
      hash.update(buffer.subarray(0, read));
      const end = read - tagBytes;
      if (end < 0) throw changed(path);
      const decipher = createDecipheriv("aes-256-gcm", own, nonceOf(chunk, at + buffer.length >= size), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(buffer.subarray(end, read));
      const plain = decipher.update(buffer.subarray(0, end));
      try {
        decipher.final();
      } catch {
        throw changed(path);
      }
      await writeFully(target, plain, written);
      written += plain.length;
    }
    return hash.digest("hex");
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

const changed = (path: string) =>
  new Error(`The file ${path} of the backup was changed. Use another backup.`);
