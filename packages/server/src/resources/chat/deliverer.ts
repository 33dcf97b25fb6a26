import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import { type ChangeContext, type DomainEvent, VersionConflict } from "../../core/store/store.ts";
import type { Channels, Sent } from "./channels.ts";
import type { DeliveryRows, StoredDelivery } from "./delivery-rows.ts";
import { retryPauseMs } from "./retry-pause.ts";

/** How many channels are served at once. */
const channelsAtOnce = 16;

const restMs = 5_000;

/** How many delivered messages of a channel are kept. */
const deliveredKept = 1000;

export interface Deliverer {
  /** Begins to serve every channel whose next message is due. Answers when the next one will be. */
  look(): Promise<Date | undefined>;
  /** Resolves when no channel is being served. */
  idle(): Promise<void>;
}

export interface DelivererOptions {
  /** Ends attempts that are going on: they count as not made. */
  readonly signal: AbortSignal;
  /** Whether this server is the one that delivers, now. */
  readonly mayDeliver: () => boolean;
  /** A channel has got all that was due: there may be room for another. */
  readonly onServed: () => void;
  readonly onError: (error: unknown) => void;
  readonly log: Logger;
}

/**
 * Sends messages: to each channel one after the other, each until it is delivered or given up. An attempt is recorded when
 * it is over, so that a crash in its midst sends the message again, under the same id.
 */
export function createDeliverer(
  { store, system, settings }: Dependencies,
  rows: DeliveryRows,
  channels: Channels,
  { signal, mayDeliver, onServed, onError, log }: DelivererOptions,
): Deliverer {
  const served = new Map<string, Promise<void>>();
  const random = () => system.randomBytes(4).readUInt32LE() / 2 ** 32;

  async function serve(channel: string): Promise<void> {
    while (mayDeliver()) {
      const next = await rows.first(channel);
      if (!next || (next.nextAt ?? "") > system.now().toISOString()) return;
      await attempt(next);
    }
  }

  async function attempt(delivery: StoredDelivery): Promise<void> {
    const sent = isTooOld(delivery, system.now())
      ? tooOld
      : await channels.send(delivery.channel, delivery.message, signal);
    const now = system.now();
    const context: ChangeContext = { actor: "lakehelm", requestId: null, time: now.toISOString() };
    const next = afterwards(delivery, sent, now);
    const isDead = next.state === "dead";
    const { id } = delivery.message;
    if (isDead) log.warn({ delivery: id, error: sent.error }, "a message to a channel was put aside");
    try {
      await store.apply({
        context,
        steps: [
          rows.record(delivery, { ...next, answer: { status: sent.status, error: sent.error } }),
          rows.pruneChannel(delivery.channel, deliveredKept),
        ],
        events: isDead ? [givenUp(delivery, sent)] : [],
      });
    } catch (error) {
      // Its binding was removed meanwhile, or another server delivers.
      if (!(error instanceof VersionConflict)) throw error;
    }
  }

  function afterwards({ attempts }: StoredDelivery, { outcome, retryAfter }: Sent, now: Date) {
    const ended = { nextAt: null, endedAt: now.toISOString() };
    if (outcome === "delivered") return { state: "delivered", ...ended } as const;
    const tried = attempts + 1;
    if (outcome === "refused" || tried >= settings.PLATFORM_CHAT_ATTEMPTS) {
      return { state: "dead", ...ended } as const;
    }
    const pause = retryPauseMs(tried, retryAfter, now, random);
    return {
      state: "waiting",
      nextAt: new Date(now.getTime() + pause).toISOString(),
      endedAt: null,
    } as const;
  }

  /** What cannot be recorded is not sent again at once: the receiver would get it again and again. */
  async function rest(error: unknown): Promise<void> {
    if (signal.aborted) return;
    onError(error);
    await setTimeout(restMs, undefined, { signal, ref: false }).catch(() => {});
  }

  return {
    async look() {
      if (!mayDeliver()) return undefined;
      const now = system.now().toISOString();
      const due = await rows.due(now, channelsAtOnce + served.size);
      for (const channel of due) {
        if (served.has(channel) || served.size >= channelsAtOnce) continue;
        const work = serve(channel)
          .catch(rest)
          .finally(() => {
            served.delete(channel);
            onServed();
          });
        served.set(channel, work);
      }
      const next = await rows.nextAfter(now);
      return next === undefined ? undefined : new Date(next);
    },
    async idle() {
      while (served.size > 0) await Promise.all(served.values());
    },
  };
}

/** What has waited for so long is no news, and a channel that is down for good must not gather messages for ever. */
const longestWaitMs = 86_400_000;
const tooOld: Sent = { outcome: "refused", status: null, error: "It has waited for longer than a day." };

/** One that somebody has put back was answered before: it is tried, however old it is. */
const isTooOld = ({ message, answer }: StoredDelivery, now: Date): boolean =>
  answer === null && now.getTime() - Date.parse(message.time) > longestWaitMs;

const givenUp = ({ message, channel, attempts }: StoredDelivery, { status, error }: Sent): DomainEvent => ({
  kind: "delivery.dead",
  subject: `delivery/${message.id}`,
  data: { binding_id: channel, channel_id: message.channel_id, attempts: attempts + 1, status, error },
});
