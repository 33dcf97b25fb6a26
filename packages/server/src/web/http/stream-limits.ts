import type { ServerResponse } from "node:http";
import { createKeyedCount } from "../../core/concurrency/keyed-count.ts";
import { Problem } from "../../core/errors.ts";
import type { Quota } from "./quota.ts";

export interface StreamLimits {
  /** The bytes of all large answers that are not read yet. Usually this is 0, and no caller needs to be checked. */
  readonly unread: { readonly bytes: number };
  /** Throws if the caller has too many unread answers to get another answer. */
  requireRoom(caller: string): void;
  /** Counts a large answer until it is sent. */
  hold(caller: string, response: ServerResponse, length: number): void;
  /**
   * Counts bytes of a large body until its request is answered. Throws if one caller, or all, send too much at once.
   */
  holdBody(caller: string, response: ServerResponse, length: number): void;
  /** Runs a stream of this caller, or throws if the caller has too many streams. */
  run(caller: string, stream: () => Promise<void>): Promise<void>;
  quotas(): Quota[];
}

const megabyte = 1024 * 1024;

/** An answer stays in memory until its caller has read it. */
const maxUnreadMb = 64;
/** Smaller answers fit into the buffers of the connection. */
export const largeAnswer = 256 * 1024;

/** A body is in memory until its request is answered: the limits of one caller, and of all. */
const maxBodyMb = { perCaller: 64, total: 256 };

/**
 * Limits event streams, each of which holds a connection and follows the log for hours, answers that are not read, and
 * bodies that are being received.
 */
export function createStreamLimits(total: number, perCaller: number): StreamLimits {
  const counts = createKeyedCount();
  const unreadOf = createKeyedCount();
  const unread = { bytes: 0 };
  const bodiesOf = createKeyedCount();
  const bodies = { bytes: 0, refused: 0, refusedOfCaller: 0 };
  let refusedAnswers = 0;
  let open = 0;
  let refused = 0;
  let refusedOfCaller = 0;

  function refuse(detail: string): Problem {
    return new Problem("tooMany", detail, { retryAfterSeconds: 5 });
  }

  return {
    unread,
    requireRoom(caller) {
      if (unreadOf.of(caller) <= maxUnreadMb * megabyte) return;
      refusedAnswers += 1;
      throw refuse(`${caller} has ${maxUnreadMb} MB of answers that are not read yet. Read them first.`);
    },
    hold(caller, response, length) {
      unreadOf.add(caller, length);
      unread.bytes += length;
      response.once("close", () => {
        unreadOf.remove(caller, length);
        unread.bytes -= length;
      });
    },
    holdBody(caller, response, length) {
      if (bodiesOf.of(caller) + length > maxBodyMb.perCaller * megabyte) {
        bodies.refusedOfCaller += 1;
        throw refuse(`${caller} sends more than ${maxBodyMb.perCaller} MB at once. Wait for some answers.`);
      }
      if (bodies.bytes + length > maxBodyMb.total * megabyte) {
        bodies.refused += 1;
        throw new Problem("unavailable", "The server receives too many large requests. Try again later.", {
          retryAfterSeconds: 5,
        });
      }
      bodiesOf.add(caller, length);
      bodies.bytes += length;
      response.once("close", () => {
        bodiesOf.remove(caller, length);
        bodies.bytes -= length;
      });
    },
    run(caller, stream) {
      if (counts.of(caller) >= perCaller) {
        refusedOfCaller += 1;
        throw refuse(`${caller} has ${perCaller} open event streams, the most for one caller. Close one.`);
      }
      if (open >= total) {
        refused += 1;
        throw refuse(`The server has ${total} open event streams, the most it serves. Try again later.`);
      }
      open += 1;
      counts.add(caller);
      return stream().finally(() => {
        open -= 1;
        counts.remove(caller);
      });
    },
    quotas: () => [
      { name: "event_streams", used: open, limit: total, refused },
      {
        name: "event_streams_per_caller",
        used: counts.largest(),
        limit: perCaller,
        refused: refusedOfCaller,
      },
      {
        name: "unread_answer_bytes_per_caller",
        used: unreadOf.largest(),
        limit: maxUnreadMb * megabyte,
        refused: refusedAnswers,
      },
      {
        name: "request_body_bytes",
        used: bodies.bytes,
        limit: maxBodyMb.total * megabyte,
        refused: bodies.refused,
      },
      {
        name: "request_body_bytes_per_caller",
        used: bodiesOf.largest(),
        limit: maxBodyMb.perCaller * megabyte,
        refused: bodies.refusedOfCaller,
      },
    ],
  };
}
