import { createHmac, timingSafeEqual } from "node:crypto";

/** The head of the chain: the number of events, the hash of the last one, and a MAC over both. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
  readonly mac: string;
}

/** Each hash covers the previous hash, the sequence and the event's text; computing one requires the key. */
export function link(key: Buffer, before: string, sequence: number, body: string): string {
  return createHmac("sha256", key).update(`event\n${before}\n${sequence}\n`).update(body).digest("base64url");
}

/** The head has its own MAC, so that an older head cannot be rebuilt from the remaining rows. */
export function sealHead(key: Buffer, sequence: number, hash: string): Head {
  const mac = createHmac("sha256", key).update(`head\n${sequence}\n${hash}`).digest("base64url");
  return { sequence, hash, mac };
}

export function isSealed(key: Buffer, head: Head): boolean {
  if (head.sequence === 0) return head.hash === "" && head.mac === "";
  const expected = Buffer.from(sealHead(key, head.sequence, head.hash).mac);
  const found = Buffer.from(head.mac);
  return expected.length === found.length && timingSafeEqual(expected, found);
}
