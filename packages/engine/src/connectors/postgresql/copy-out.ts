import type pg from "pg";

/** Takes the payload of one CopyData frame, from one place of the bytes to before the other. */
export type TakeFrame = (bytes: Buffer, view: DataView, from: number, to: number) => void;

const copyData = "d".charCodeAt(0);
const copyDone = "c".charCodeAt(0);
const errorResponse = "E".charCodeAt(0);
const header = 5;
/** A read that is shorter than this was too early: a moment later there is more, and fewer reads cost less. */
const shortRead = 32 * 1024;

/**
 * `COPY … TO STDOUT` off the socket. The driver makes an object and an event of every row, which is what kills throughput
 * (0.14 of the limit): while rows come, its listener is put aside and the frames are cut here. Whatever else comes goes to it.
 */
export function copyOut(client: pg.Client, sql: string, take: TakeFrame): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    client.query({
      submit(connection: pg.Connection) {
        const { stream } = connection;
        const [theirs] = stream.listeners("data") as ((bytes: Buffer) => void)[];
        if (!theirs) throw new Error("The driver does not listen to its connection.");
        const giveBack = () => {
          stream.off("data", listen);
          stream.on("data", theirs);
        };
        const cut = frameSplitter(take, theirs, giveBack);
        const listen = (bytes: Buffer) => {
          try {
            cut(bytes);
          } catch (error) {
            // The rows cannot be used: the connection is left with the rest of them.
            failure = error;
            giveBack();
            stream.destroy(error instanceof Error ? error : undefined);
            return;
          }
          if (bytes.length >= shortRead) return;
          stream.pause();
          setTimeout(() => stream.resume(), 1);
        };
        stream.off("data", theirs);
        stream.on("data", listen);
        connection.query(sql);
      },
      handleError: (error: Error) => reject(failure ?? error),
      handleReadyForQuery: () => resolve(),
      handleCommandComplete() {},
      handleRowDescription() {},
      handleCopyData() {},
      handleEmptyQuery() {},
    });
  });
}

/** Frames are a letter, the length of the rest (int32, itself included) and the rest. They end where they like in a read. */
function frameSplitter(take: TakeFrame, others: (bytes: Buffer) => void, giveBack: () => void) {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  /** Of the frame that has begun; 0: not known yet. */
  let needed = 0;

  return (read: Buffer): void => {
    let bytes = read;
    if (waitingBytes > 0) {
      waiting.push(read);
      waitingBytes += read.length;
      if (waitingBytes < Math.max(needed, header)) return;
      bytes = Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    needed = 0;
    while (at + header <= bytes.length) {
      const end = at + 1 + view.getInt32(at + 1);
      const kind = bytes[at];
      if (end > bytes.length) {
        needed = end - at;
        break;
      }
      if (kind === copyData) take(bytes, view, at + header, end);
      else if (kind === copyDone || kind === errorResponse) {
        giveBack();
        others(bytes.subarray(at));
        return;
      } else others(bytes.subarray(at, end));
      at = end;
    }
    if (at < bytes.length) {
      waiting = [bytes.subarray(at)];
      waitingBytes = bytes.length - at;
    }
  };
}
