import type { Logger } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import type { EventLog } from "../../core/events/log.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { handlerOf, type OutboxHandlers } from "../../core/outbox/topic.ts";
import type { RetentionSource } from "../../core/retention/retention.ts";
import { createOutbound, type Outbound } from "../../runtime/outbound/outbound.ts";
import type { Automations } from "../automations/automations.ts";
import type { Environments } from "../environments/environments.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { type ChatBindings, createChatBindings } from "./bindings.ts";
import { createChannels } from "./channels.ts";
import { createDeliverer } from "./deliverer.ts";
import { createDeliveries, type Deliveries } from "./deliveries.ts";
import { createDeliveryRetention } from "./delivery-retention.ts";
import { createDeliveryRows, deliveryTopic } from "./delivery-rows.ts";
import { createEventFollower } from "./event-follower.ts";
import { createChatLeader } from "./leader.ts";
import { createNotificationRules, type NotificationLookups } from "./notification-rules.ts";
import { type ChatPoster, createChatPoster } from "./poster.ts";

export interface ChatOptions extends Pick<NotificationLookups, "run" | "pipelineNotifications"> {
  readonly environments: Environments;
  readonly automations: Pick<Automations, "find" | "get">;
  readonly secrets: SecretStore;
  readonly outbound: Outbound;
  readonly events: EventLog;
  readonly outbox: Outbox;
  /** The id of this server process among those that share the database. */
  readonly serverId: string;
  readonly log: Logger;
}

/** Bound channels and the messages to them. */
export interface Chat {
  readonly bindings: ChatBindings;
  readonly deliveries: Deliveries;
  readonly poster: ChatPoster;
  readonly outbox: OutboxHandlers;
  /** Messages that are no longer kept. */
  readonly retention: RetentionSource;
  /** Before the first request: events from here on are delivered. */
  prepare(): Promise<void>;
  start(): void;
  /** The position in the event log up to which channels are notified. */
  readThrough(): Promise<number>;
  /** Turns new events into deliveries, and sends what is due now. Resolves when all of it is done. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export function createChat(deps: Dependencies, options: ChatOptions): Chat {
  const { environments, automations, secrets, outbound, events, outbox, log } = options;
  const rows = createDeliveryRows(deps.store, outbox);
  const bindings = createChatBindings(deps, { environments, automations, outbound, deliveries: rows });
  // The address of the mail webhook is a setting of the server, not of a caller, so it may be private.
  const trusted = createOutbound({ allowsPrivate: true, privateAddresses: [] });
  const channels = createChannels(deps, { bindings, secrets, outbound, trusted });
  const environmentName = async (id: string) => (await environments.find(id))?.doc.name;
  const rules = createNotificationRules(deps, bindings, {
    environmentName,
    automationAlias: async (id) => (await automations.get(id))?.doc.alias,
    run: options.run,
    pipelineNotifications: options.pipelineNotifications,
  });
  const follower = createEventFollower(deps, events, rows, rules);
  const onError = (error: unknown) => log.error({ err: error }, "events could not be turned into deliveries");
  const leader = createChatLeader(deps, {
    owner: options.serverId,
    follow: follower.follow,
    onFollowed: outbox.wake,
    next: events.next,
    onGained: follower.forget,
    onError,
  });
  return {
    bindings,
    deliveries: createDeliveries(deps, rows, bindings, channels, environmentName),
    poster: createChatPoster(environments, bindings, rows),
    outbox: handlerOf(deliveryTopic, createDeliverer(deps, rows, channels)),
    retention: createDeliveryRetention(deps, rows),
    prepare: follower.begin,
    start: leader.start,
    async readThrough() {
      // If another server holds the lease, the stored position may be several hundred events behind.
      if (await leader.claim()) await follower.save();
      return follower.saved();
    },
    async tick() {
      if (!(await leader.claim())) return;
      await events.seal();
      await follower.follow();
      await outbox.runDue([deliveryTopic]);
    },
    stop: leader.stop,
  };
}
