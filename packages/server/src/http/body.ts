import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../problems.ts";

const none = Buffer.alloc(0);

/** The caller went away before the whole request was there: nobody is left to be answered. */
export class Gone extends Error {}

/** Reads a body of at most `limit` bytes. A longer one is refused as soon as that is known. */
export function readBytes(
  request: IncomingMessage,
  response: Pick<ServerResponse, "writeContinue">,
  limit: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => new Problem("tooLarge", `The request body has more than ${limit} bytes.`);
    const announced = Number(request.headers["content-length"]);
    if (announced > limit) return reject(tooLarge());
    if (announced === 0 || (Number.isNaN(announced) && !request.headers["transfer-encoding"])) {
      return resolve(none);
    }
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
    request.on("close", () => reject(new Gone()));
    request.on("error", () => reject(new Gone()));
  });
}
