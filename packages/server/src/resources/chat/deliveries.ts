import type { Delivery } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { type HistoryRequest, historyPage } from "../../core/store/history-page.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { ChatBindings } from "./bindings.ts";
import type { Channels } from "./channels.ts";
import {
  type DeliveryFilter,
  type DeliveryRows,
  mailChannel,
  type SendResult,
  type StoredDelivery,
} from "./delivery-rows.ts";

/** Filters on the message itself, which is stored as text. */
interface TextFilter {
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly search?: string | undefined;
}

interface DeliveryPage {
  readonly deliveries: Delivery[];
  readonly next_before: number | null;
  readonly next_cursor: string | null;
}

/** User operations on the messages to channels. */
export interface Deliveries {
  /** Newest first, unless the request says otherwise. */
  page(filter: DeliveryFilter & TextFilter, request: HistoryRequest<number>): Promise<DeliveryPage>;
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  /** Puts a dead delivery back into the queue. */
  retry(id: string, context: ChangeContext): Promise<Delivery>;
  /** Sends a message immediately, without a delivery record. */
  test(
    bindingId: string,
    context: ChangeContext,
    signal: AbortSignal,
  ): Promise<SendResult & { readonly channelId: string }>;
}

export function createDeliveries(
  { store, system }: Dependencies,
  rows: DeliveryRows,
  bindings: Pick<ChatBindings, "target">,
  channels: Channels,
  environmentName: (id: string) => Promise<string | undefined>,
): Deliveries {
  async function read(id: string): Promise<StoredDelivery> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no delivery ${id}.`);
    return found;
  }

  return {
    async page(filter, request) {
      const { environmentIds: _, ...purpose } = filter;
      const keyOf = (position: number) => ({ value: "", position });
      const { rows: found, ...next } = await historyPage(
        {
          read: (start, limit) => rows.page(filter, start, limit),
          keyOf: ({ sequence }) => keyOf(sequence),
          accepts: textFilter(filter),
        },
        request,
        keyOf,
        "deliveries",
        purpose,
      );
      return {
        deliveries: found.map(deliveryOf),
        next_before: next.nextBefore?.position ?? null,
        next_cursor: next.nextCursor,
      };
    },
    async environmentsOf(id) {
      const delivery = await rows.get(id);
      return delivery && [delivery.environmentId];
    },
    retry: (id, context) =>
      store.retryOnConflict(async () => {
        const before = await read(id);
        if (before.state === "delivered") throw conflict(`Delivery ${id} was already delivered.`);
        if (before.channel !== mailChannel && !(await bindings.target(before.channel))) {
          throw conflict(`The channel of delivery ${id} is no longer bound.`);
        }
        const data = { binding_id: before.channel, channel_id: before.message.channel_id };
        await store.apply({
          context,
          steps: rows.putBack(id, context.time),
          events: [{ kind: "delivery.retried", subject: `delivery/${id}`, data }],
        });
        return deliveryOf({ ...before, state: "waiting", attempts: 0, nextAt: context.time, endedAt: null });
      }),
    async test(bindingId, context, signal) {
      const target = await bindings.target(bindingId);
      if (!target) throw notFound(`There is no chat binding ${bindingId}.`);
      const { channelId, environmentId, address } = target;
      if (address === null)
        throw conflict(`Channel ${channelId} has no channel_url, so it receives no messages.`);
      const environment = (await environmentName(environmentId)) ?? environmentId;
      const message = {
        id: system.newId(),
        kind: "test",
        time: context.time,
        environment,
        automation: null,
        text: `A test message from Lakehelm, sent by ${context.actor}. This channel receives messages about ${environment}.`,
        data: { actor: context.actor },
        channel_id: channelId,
      };
      return { ...(await channels.send(bindingId, message, signal)), channelId };
    },
  };
}

function textFilter({ created_after, created_before, search }: TextFilter) {
  if (created_after === undefined && created_before === undefined && search === undefined) return undefined;
  const wanted = search?.toLowerCase();
  return ({ message: { time, channel_id, kind, text } }: StoredDelivery): boolean =>
    (created_after === undefined || time >= created_after) &&
    (created_before === undefined || time < created_before) &&
    (wanted === undefined ||
      [channel_id ?? "", kind, text].some((part) => part.toLowerCase().includes(wanted)));
}

/** A delivery as callers see it, without the address of the channel. */
export const deliveryOf = (delivery: StoredDelivery): Delivery => ({
  id: delivery.message.id,
  sequence: delivery.sequence,
  binding_id: delivery.channel === mailChannel ? null : delivery.channel,
  environment_id: delivery.environmentId,
  channel_id: delivery.message.channel_id,
  kind: delivery.message.kind,
  text: delivery.message.text,
  state: delivery.state,
  attempts: delivery.attempts,
  next_at: delivery.nextAt,
  status: delivery.answer?.status ?? null,
  error: delivery.answer?.error ?? null,
  created_at: delivery.message.time,
  ended_at: delivery.endedAt,
});
