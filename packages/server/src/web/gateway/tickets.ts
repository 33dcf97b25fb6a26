import { hash } from "node:crypto";
import type { App } from "@lakehelm/contract";
import type { System } from "../../core/system.ts";
import type { Caller } from "../identity/caller.ts";

/** Whom a ticket lets in, and into which app. */
interface Ticket {
  readonly appId: string;
  readonly caller: Pick<Caller, "name" | "role">;
  readonly expiresAt: Date;
}

export interface Tickets {
  issue(app: Pick<App, "id">, caller: Caller): { readonly ticket: string; readonly expiresAt: Date };
  /** Whose ticket it is, if it is good. */
  holder(ticket: string): string | undefined;
  /** The ticket, if it is good; it never is again. */
  take(ticket: string): Ticket | undefined;
}

/** As it stands in an address: an app may have a `ticket` in its own addresses, which looks otherwise. */
export const ticketPattern = /^lht_[\w-]{43}$/;

const goodForMs = 60_000;

/** Of one caller: nobody uses so many within a minute. */
const mostWaiting = 100;

/** Tickets live for a minute in memory, as hashes: they are gone with a restart, and nothing of them is stored. */
export function createTickets({ now, randomBytes }: System): Tickets {
  const kept = new Map<string, Ticket>();
  const keyOf = (ticket: string) => hash("sha256", ticket);

  /** The oldest come first, and all of them live equally long. */
  function dropExpired(time: number): void {
    for (const [key, { expiresAt }] of kept) {
      if (expiresAt.getTime() > time) return;
      kept.delete(key);
    }
  }

  /** One who asks for more and more of them loses their own oldest ones. */
  function makeRoom(name: string): void {
    const own = [...kept].filter(([, { caller }]) => caller.name === name);
    const tooMany = Math.max(0, own.length - mostWaiting + 1);
    for (const [key] of own.slice(0, tooMany)) kept.delete(key);
  }

  const isGood = ({ expiresAt }: Ticket) => expiresAt.getTime() > now().getTime();

  return {
    issue({ id: appId }, { name, role }) {
      const time = now().getTime();
      dropExpired(time);
      makeRoom(name);
      const ticket = `lht_${randomBytes(32).toString("base64url")}`;
      const expiresAt = new Date(time + goodForMs);
      kept.set(keyOf(ticket), { appId, caller: { name, role }, expiresAt });
      return { ticket, expiresAt };
    },
    holder(ticket) {
      const found = kept.get(keyOf(ticket));
      return found && isGood(found) ? found.caller.name : undefined;
    },
    take(ticket) {
      const key = keyOf(ticket);
      const found = kept.get(key);
      kept.delete(key);
      return found && isGood(found) ? found : undefined;
    },
  };
}
