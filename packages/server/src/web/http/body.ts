import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../../core/errors.ts";

const none = Buffer.alloc(0);

/** The caller disconnected before the whole request had arrived. */
export class ClientDisconnected extends Error {}

/** The length of the body; infinite for a chunked body. */
export function announcedLength({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

/** Reads a body of at most `limit` bytes. A longer one is refused as soon as its length is known. */
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
    // 100 Continue is sent only now: caller and size are known.
    if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return reject(tooLarge());
      chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // Checked first: every request ends with a close, and creating an unused error costs more than reading a small body.
    request.on("close", () => request.complete || reject(new ClientDisconnected()));
    request.on("error", () => reject(new ClientDisconnected()));
  });
}
