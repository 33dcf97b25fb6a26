import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from "node:crypto";

/** Encrypts values at rest and derives a separate key for each purpose. */
export interface Vault {
  /** A fingerprint that shows whether another server uses the same secret key, without revealing it. */
  readonly fingerprint: string;
  encrypt(plain: string): string;
  decrypt(sealed: string): string;
  deriveKey(purpose: string): Buffer;
}

export function openVault(secret: string, randomBytes: (size: number) => Buffer): Vault {
  const deriveKey = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "lakehelm", purpose, 32));
  const key = createSecretKey(deriveKey("encryption at rest"));
  return {
    fingerprint: createHash("sha256").update(deriveKey("fingerprint")).digest("base64url"),
    deriveKey,
    encrypt(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    },
  };
}

/** Compares secrets: the time shows at most whether their lengths differ. */
export const equalInConstantTime = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
