import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../../core/errors.ts";

const none = Buffer.alloc(0);

/** The caller went away before the whole request was there: nobody is left to be answered. */
export class Gone extends Error {}

/** How long the body will be: endless, for all we know, where it comes in chunks. */
export function announcedLength({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

/** Reads a body of at most `limit` bytes. A longer one is refused as soon as that is known. */
export function readBytes(
  request: IncomingMessage,
  response: Pick<ServerResponse, "writeContinue">,
  limit: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => new Problem("tooLarge", `The request body has more than ${limit} bytes.`);
    const announced = announcedLength(request);
    if (announced === 0) return resolve(none);
    if (announced > limit && announced !== Number.POSITIVE_INFINITY) return reject(tooLarge());
    // Who asks before sending hears that it is wanted only now: the caller is known, and so is the size.
    if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return reject(tooLarge());
      chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // Asked first: every request ends with a close, and an error nobody needs costs more than reading a small body.
    request.on("close", () => request.complete || reject(new Gone()));
    request.on("error", () => reject(new Gone()));
  });
}
