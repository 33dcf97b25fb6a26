import { createHmac, timingSafeEqual } from "node:crypto";

/** The end of the chain: how many events there are, the hash of the last, and a seal on both. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
  readonly mac: string;
}

/** Each hash covers the one before it, the sequence and the event's text; without the key none can be made. */
export function link(key: Buffer, before: string, sequence: number, body: string): string {
  return createHmac("sha256", key).update(`event\n${before}\n${sequence}\n`).update(body).digest("base64url");
}

/** The head has a seal of its own, so that an older one cannot be put together from the rows that are left. */
export function sealHead(key: Buffer, sequence: number, hash: string): Head {
  const mac = createHmac("sha256", key).update(`head\n${sequence}\n${hash}`).digest("base64url");
  return { sequence, hash, mac };
}

export function isSealed(key: Buffer, head: Head): boolean {
  if (head.sequence === 0) return head.hash === "" && head.mac === "";
  const wanted = Buffer.from(sealHead(key, head.sequence, head.hash).mac);
  const found = Buffer.from(head.mac);
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}
