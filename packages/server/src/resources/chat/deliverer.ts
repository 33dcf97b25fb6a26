import { retryAfterMs } from "@lakehelm/contract/text";
import type { Dependencies } from "../../core/dependencies.ts";
import { completed, Deferred, type OutboxAttempt, type OutboxHandler } from "../../core/outbox/topic.ts";
import type { DomainEvent } from "../../core/store/store.ts";
import type { Channels } from "./channels.ts";
import type {
  DeliveryEntry,
  DeliveryRows,
  SendResult,
  SentDelivery,
  StoredDelivery,
} from "./delivery-rows.ts";

/** The longest pause that a receiver can ask for with Retry-After. */
const maxRetryAfterMs = 3_600_000;

/** The pause after an internal error, which does not count as an attempt. */
const errorPauseMs = 5_000;

/**
 * Sends messages: sequentially per channel, each until it is delivered or dead. An attempt is recorded when it is over,
 * so after a crash in between the message is sent again with the same id.
 */
export function createDeliverer(
  { system, settings }: Dependencies,
  rows: DeliveryRows,
  channels: Channels,
): OutboxHandler<DeliveryEntry, SentDelivery> {
  async function send(delivery: StoredDelivery, signal: AbortSignal): Promise<SendResult> {
    if (isTooOld(delivery, system.now())) return tooOld;
    try {
      return await channels.send(delivery.channel, delivery.message, signal);
    } catch (error) {
      throw signal.aborted ? error : new Deferred(error as Error, errorPauseMs);
    }
  }

  return {
    maxAttempts: settings.PLATFORM_CHAT_ATTEMPTS,
    async perform({ id }, signal): Promise<OutboxAttempt<SentDelivery>> {
      const delivery = await rows.get(id);
      if (delivery?.state !== "waiting") return completed(undefined);
      const sent = await send(delivery, signal);
      const outcome = ({ delivered: "completed", failed: "failed", refused: "rejected" } as const)[
        sent.outcome
      ];
      return {
        outcome,
        result: { delivery, sent },
        retryAfterMs: Math.min(retryAfterMs(sent.retryAfter, system.now().getTime()) ?? 0, maxRetryAfterMs),
      };
    },
    async record(_, attempted, { state, attempts, nextAt, time }) {
      if (!attempted) return { steps: [], events: [] };
      const { delivery, sent } = attempted;
      const shown = ({ completed: "delivered", pending: "waiting", dead: "dead" } as const)[state];
      const endedAt = state === "pending" ? null : time;
      const answer = { status: sent.status, error: sent.error };
      return {
        steps: [rows.record(delivery, { state: shown, nextAt, endedAt, answer })],
        events: state === "dead" ? [deadEvent(delivery, sent, attempts)] : [],
      };
    },
  };
}

/** Older messages are no longer useful, and a channel that is down permanently must not accumulate messages. */
const maxWaitMs = 86_400_000;
const tooOld: SendResult = {
  outcome: "refused",
  status: null,
  error: "The message waited for more than a day.",
};

/**
 * A delivery that was put back into the queue has the response to an earlier attempt: it is sent, however old it is.
 */
const isTooOld = ({ message, answer }: StoredDelivery, now: Date): boolean =>
  answer === null && now.getTime() - Date.parse(message.time) > maxWaitMs;

const deadEvent = (
  { message, channel }: StoredDelivery,
  { status, error }: SendResult,
  attempts: number,
): DomainEvent => ({
  kind: "delivery.dead",
  subject: `delivery/${message.id}`,
  data: { binding_id: channel, channel_id: message.channel_id, attempts, status, error },
});
