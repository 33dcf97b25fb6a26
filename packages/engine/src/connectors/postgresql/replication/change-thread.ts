/** Reads the changes of a replication slot into the ring buffer, in a thread with its own connection. */
import type pg from "pg";
import { collectYoungGarbage } from "../../../warehouse/garbage-collection.ts";
import { BatchWriter } from "../../../warehouse/ring-buffer/batch-writer.ts";
import { type ReadRows, reportPosition } from "../../../warehouse/ring-buffer/row-writer.ts";
import { copyOut } from "../copy-out.ts";
import { postgresProblem } from "../problem.ts";
import { connectPostgres } from "../session.ts";
import { type PostgresSettings, serverName } from "../settings.ts";
import { ChangeWriter, type LoggedTable } from "./change-writer.ts";
import { PgoutputReader } from "./pgoutput.ts";

export interface ChangeThreadInput {
  readonly settings: PostgresSettings;
  readonly sessionName: string;
  readonly slot: string;
  readonly command: string;
  readonly upTo: bigint;
  readonly tables: readonly LoggedTable[];
}

const xlogData = "w".charCodeAt(0);
const keepalive = "k".charCodeAt(0);
const standbyStatus = "r".charCodeAt(0);
/** The bytes of kind, start, end and time. */
const xlogHeader = 25;
const bytesBetweenCollections = 4 * 2 ** 20;
/** How often the server is asked how far it is. It ends a connection that says nothing for `wal_sender_timeout` (60 s). */
const msBetweenQuestions = 100;
/**
 * How long to wait for the end: the server completes the transaction that it is sending, however large. After this time
 * the connection is closed.
 */
const msToEnd = 3_000;

export const read: ReadRows<ChangeThreadInput> = async (
  { settings, sessionName, slot, command, upTo, tables },
  ring,
) => {
  const action = `Reading the log of ${serverName(settings)} from the slot ${slot}`;
  const batches = new BatchWriter(ring);
  const client = await connectPostgres(settings, sessionName, { forReplication: true }).catch((error) => {
    throw postgresProblem(error, action);
  });
  try {
    reportPosition(await readChanges());
    batches.end();
  } catch (error) {
    throw postgresProblem(error, action);
  } finally {
    await client.end().catch(() => {});
  }

  /** Returns the position that was reached: the end of a transaction, or of what the server has looked at. */
  async function readChanges(): Promise<bigint> {
    const changes = new ChangeWriter(batches, tables);
    const reader = new PgoutputReader(changes);
    let connection: pg.Connection | undefined;
    let uncollected = 0;
    let reached: bigint | undefined;
    let questions: NodeJS.Timeout | undefined;
    let deadline: NodeJS.Timeout | undefined;
    const end = (position: bigint) => {
      reached = position;
      clearInterval(questions);
      deadline = setTimeout(() => connection?.stream.destroy(), msToEnd);
      connection?.stream.write(frame("c"));
    };
    const ask = () => connection?.stream.write(frame("d", statusUpdate()));
    try {
      await copyOut(
        client,
        command,
        (bytes, view, from, to) => {
          uncollected += to - from;
          if (uncollected > bytesBetweenCollections) {
            uncollected = 0;
            collectYoungGarbage();
          }
          if (reached !== undefined) return;
          if (bytes[from] === xlogData) {
            reader.message(bytes, view, from + xlogHeader, to);
            batches.received += to - from;
          } else if (bytes[from] === keepalive && !changes.isInTransaction) {
            changes.advance(view.getBigUint64(from + 1));
          }
          if (!changes.isInTransaction && changes.position >= upTo) end(changes.position);
        },
        (opened) => {
          connection = opened;
          opened.once("replicationStart", ask);
          questions = setInterval(ask, msBetweenQuestions);
        },
      );
    } catch (error) {
      // The server was still sending a transaction that this run does not need.
      if (reached === undefined) throw error;
    } finally {
      clearInterval(questions);
      clearTimeout(deadline);
    }
    if (reached === undefined) throw new Error("The server ended the log.");
    return reached;
  }
};

/** A message of the protocol: CopyData or CopyDone. */
function frame(letter: "c" | "d", content: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5);
  header.write(letter);
  header.writeInt32BE(4 + content.length, 1);
  return Buffer.concat([header, content]);
}

/** Confirms nothing, because nothing is stored yet, and asks how far the server is. */
function statusUpdate(): Buffer {
  const message = Buffer.alloc(34);
  message[0] = standbyStatus;
  message[33] = 1;
  return message;
}
