import type pg from "pg";

/** Reads the payload of one CopyData frame, from offset `from` to before offset `to`. */
export type FrameHandler = (bytes: Buffer, view: DataView, from: number, to: number) => void;

const copyData = "d".charCodeAt(0);
const copyDone = "c".charCodeAt(0);
const errorResponse = "E".charCodeAt(0);
const header = 5;
/** After a shorter read the socket is paused for 1 ms: then more data has arrived, and fewer reads cost less. */
const shortRead = 32 * 1024;

/**
 * `COPY … TO STDOUT` or `START_REPLICATION`, read from the socket. The driver creates an object and an event for every
 * row, which limits throughput to 0.14 of the maximum. So the listener of the driver is replaced during the copy, and
 * the frames are split here. All other messages are passed to the driver.
 */
export function copyOut(
  client: pg.Client,
  sql: string,
  onFrame: FrameHandler,
  /** Called with the connection before the command is sent. */
  onSubmit: (connection: pg.Connection) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    client.query({
      submit(connection: pg.Connection) {
        const { stream } = connection;
        const [driverListener] = stream.listeners("data") as ((bytes: Buffer) => void)[];
        if (!driverListener) throw new Error("The driver has no listener on its connection.");
        const restoreListener = () => {
          stream.off("data", listen);
          stream.on("data", driverListener);
        };
        const splitFrames = frameSplitter(onFrame, driverListener, restoreListener);
        const listen = (bytes: Buffer) => {
          try {
            splitFrames(bytes);
          } catch (error) {
            // The rows cannot be used, and the connection is still sending the rest of them.
            failure = error;
            restoreListener();
            stream.destroy(error instanceof Error ? error : undefined);
            return;
          }
          if (bytes.length >= shortRead) return;
          stream.pause();
          setTimeout(() => stream.resume(), 1);
        };
        stream.off("data", driverListener);
        stream.on("data", listen);
        onSubmit(connection);
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

/** A frame is a letter, the length of the rest (int32, including itself) and the rest. A read can end anywhere in a frame. */
function frameSplitter(onFrame: FrameHandler, onOther: (bytes: Buffer) => void, restoreListener: () => void) {
  let incomplete: Buffer[] = [];
  let incompleteBytes = 0;
  /** The length of the incomplete frame; 0 if unknown. */
  let needed = 0;

  return (read: Buffer): void => {
    let bytes = read;
    if (incompleteBytes > 0) {
      incomplete.push(read);
      incompleteBytes += read.length;
      if (incompleteBytes < Math.max(needed, header)) return;
      bytes = Buffer.concat(incomplete);
      incomplete = [];
      incompleteBytes = 0;
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
      if (kind === copyData) onFrame(bytes, view, at + header, end);
      else if (kind === copyDone || kind === errorResponse) {
        restoreListener();
        onOther(bytes.subarray(at));
        return;
      } else onOther(bytes.subarray(at, end));
      at = end;
    }
    if (at < bytes.length) {
      incomplete = [bytes.subarray(at)];
      incompleteBytes = bytes.length - at;
    }
  };
}
