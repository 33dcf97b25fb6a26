import { unavailable } from "./rpc-error.ts";

/** A message of gRPC: one byte (0: not compressed), four bytes of length, the message itself. */
export function frame(message: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/**
 * Splits a stream of bytes into messages. Throws an error if a message is larger than `maxBytes`, before reading the
 * message.
 */
export async function* messagesIn(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  /** The length of the message with its header, once it is known. */
  let expected: number | undefined;
  const joined = (): Buffer => {
    const all = Buffer.concat(waiting);
    waiting = [all];
    return all;
  };
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    for (;;) {
      if (expected === undefined) {
        if (bytes < 5) break;
        const header = joined();
        if (header[0] !== 0)
          throw new Error("The server sent a compressed message, which was not asked for.");
        const length = header.readUInt32BE(1);
        if (length > maxBytes) {
          throw new Error(`The server sent a message of ${length} bytes; at most ${maxBytes} are read.`);
        }
        expected = 5 + length;
      }
      if (bytes < expected) break;
      const all = joined();
      yield all.subarray(5, expected);
      waiting = [all.subarray(expected)];
      bytes -= expected;
      expected = undefined;
    }
  }
  // The server was killed, so the call is retryable.
  if (bytes > 0) throw unavailable("The connection ended in the middle of a message.");
}
