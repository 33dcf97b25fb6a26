import { createHmac } from "node:crypto";
import { isOrigin } from "../settings.ts";
import { equalInConstantTime } from "./secrets/vault.ts";

/** A server's URL as other servers read it from the database: with a MAC, because they send it their callers' credentials. */
export interface SealedUrls {
  seal(owner: string, url: string): string;
  /** Undefined if no server with the secret key of this database has sealed the URL for this owner. */
  open(owner: string, sealed: string): string | undefined;
}

export function createSealedUrls(key: Buffer): SealedUrls {
  const macOf = (owner: string, url: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([owner, url]))
      .digest();
  return {
    seal: (owner, url) => `${url} ${macOf(owner, url).toString("base64url")}`,
    open(owner, sealed) {
      const [url = "", mac = ""] = sealed.split(" ");
      const isGenuine = equalInConstantTime(Buffer.from(mac, "base64url"), macOf(owner, url));
      return isGenuine && isOrigin(url) ? url : undefined;
    },
  };
}
