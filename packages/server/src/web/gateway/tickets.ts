import { hash } from "node:crypto";
import type { App } from "@lakehelm/contract";
import type { System } from "../../core/system.ts";
import type { Caller } from "../http/handler.ts";

/** The user and the app of a ticket. */
interface Ticket {
  readonly appId: string;
  readonly caller: Caller;
  /** The end of the ticket's validity, by the monotonic clock. */
  readonly expiresMs: number;
}

export interface Tickets {
  issue(app: Pick<App, "id">, caller: Caller): { readonly ticket: string; readonly expiresAt: Date };
  /** The owner of a valid ticket. */
  holder(ticket: string): string | undefined;
  /** Redeems a valid ticket, once. */
  take(ticket: string): Ticket | undefined;
}

/** The query parameter. Apps may use `ticket` themselves with values of another form. */
export const ticketPattern = /^lht_[\w-]{43}$/;

const lifetimeMs = 60_000;

/** Tickets per caller and minute. */
const maxPerCaller = 100;

/** Tickets are kept in memory for a minute, as hashes; a restart invalidates them. */
export function createTickets({ now, monotonicMs, randomBytes }: System): Tickets {
  const tickets = new Map<string, Ticket>();
  const keyOf = (ticket: string) => hash("sha256", ticket);

  /** Oldest first; all have the same lifetime. */
  function dropExpired(ms: number): void {
    for (const [key, { expiresMs }] of tickets) {
      if (expiresMs > ms) return;
      tickets.delete(key);
    }
  }

  /** A caller with too many tickets loses its own oldest ones. */
  function dropOldest(name: string): void {
    const own = [...tickets].filter(([, { caller }]) => caller.name === name);
    const tooMany = Math.max(0, own.length - maxPerCaller + 1);
    for (const [key] of own.slice(0, tooMany)) tickets.delete(key);
  }

  const isGood = ({ expiresMs }: Ticket) => expiresMs > monotonicMs();

  return {
    issue({ id: appId }, caller) {
      const ms = monotonicMs();
      dropExpired(ms);
      dropOldest(caller.name);
      const ticket = `lht_${randomBytes(32).toString("base64url")}`;
      tickets.set(keyOf(ticket), { appId, caller, expiresMs: ms + lifetimeMs });
      return { ticket, expiresAt: new Date(now().getTime() + lifetimeMs) };
    },
    holder(ticket) {
      const found = tickets.get(keyOf(ticket));
      return found && isGood(found) ? found.caller.name : undefined;
    },
    take(ticket) {
      const key = keyOf(ticket);
      const found = tickets.get(key);
      tickets.delete(key);
      return found && isGood(found) ? found : undefined;
    },
  };
}
