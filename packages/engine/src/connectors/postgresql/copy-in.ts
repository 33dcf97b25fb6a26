import { once } from "node:events";
import type pg from "pg";

const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/**
 * `COPY … FROM STDIN`. Sends each chunk as one CopyData frame, as fast as the socket accepts them. Returns the number
 * of bytes sent.
 */
export function copyIn(client: pg.Client, sql: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let failure: unknown;
    let isOver = false;
    let pending: Promise<void> = Promise.resolve();

    async function send({ stream }: pg.Connection): Promise<void> {
      try {
        for await (const chunk of chunks) {
          if (isOver) return;
          const frame = Buffer.allocUnsafe(5);
          frame.writeUInt8(0x64, 0);
          frame.writeInt32BE(chunk.length + 4, 1);
          stream.cork();
          stream.write(frame);
          const canContinue = stream.write(chunk);
          stream.uncork();
          bytes += chunk.length;
          if (!canContinue && !isOver) await drained(stream);
        }
        if (!isOver) stream.write(copyDone);
      } catch (error) {
        // The rows could not be read to the end. CopyFail makes the server discard them and reply with an error.
        failure = error;
        if (!isOver) stream.write(copyFail("the rows could not be read"));
      }
    }

    client.query({
      submit: (connection: pg.Connection) => connection.query(sql),
      handleCopyInResponse(connection: pg.Connection) {
        pending = send(connection);
      },
      // After an error the server keeps reading frames and discards them.
      handleError(error: Error) {
        isOver = true;
        pending.finally(() => reject(failure ?? error));
      },
      handleReadyForQuery() {
        isOver = true;
        pending.finally(() => resolve(bytes));
      },
      handleCommandComplete() {},
      handleRowDescription() {},
      handleEmptyQuery() {},
    });
  });
}

async function drained(stream: pg.Connection["stream"]): Promise<void> {
  const closed = new AbortController();
  const close = () => closed.abort();
  stream.once("close", close);
  try {
    await once(stream, "drain", { signal: closed.signal });
  } finally {
    stream.off("close", close);
  }
}

function copyFail(reason: string): Buffer {
  const text = Buffer.from(`${reason}\0`);
  const frame = Buffer.alloc(5);
  frame.writeUInt8(0x66, 0);
  frame.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([frame, text]);
}
