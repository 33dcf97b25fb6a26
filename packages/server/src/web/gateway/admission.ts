import type { IncomingMessage } from "node:http";
import type { App } from "@lakehelm/contract";
import type { ServerRole } from "../http/handler.ts";
import type { Address, Addresses } from "./addresses.ts";
import { sessionCookie, sessionsIn } from "./cookies.ts";
import type { AppReference } from "./host-label.ts";
import { type AppPage, otherUser, pages } from "./pages.ts";
import type { AppSession, AppSessions } from "./session.ts";
import { type Tickets, ticketPattern } from "./tickets.ts";

/** The decision on a request to an app: admitted, redirected or refused. */
export type Admission =
  /** Admitted, with the path and query for the app. */
  | { readonly session: AppSession; readonly rest: string }
  | { readonly status: 303 | 308; readonly location: string; readonly cookie?: string }
  | { readonly page: AppPage };

/** The clocks of servers on one database may differ. */
const skewSeconds = 60;

export interface AdmissionDependencies {
  readonly addresses: Addresses;
  readonly tickets: Tickets;
  readonly sessions: AppSessions;
  /** The role that the user of a session has now; undefined once the session has ended. */
  readonly roleNow: (session: AppSession) => Promise<ServerRole | undefined>;
  readonly find: (named: AppReference) => Promise<App | undefined>;
  readonly now: () => Date;
  readonly ttlSeconds: number;
}

export type Admit = (request: IncomingMessage, address: Address) => Promise<Admission>;

/** Admits browsers to apps: a ticket starts a session, which is kept in a cookie. */
export function createAdmission(deps: AdmissionDependencies): Admit {
  const { addresses, tickets, sessions, roleNow, find, now, ttlSeconds } = deps;

  async function currentSession(
    { headers }: IncomingMessage,
    { prefix, audience }: Address,
  ): Promise<AppSession | undefined> {
    const sent = sessionsIn(headers.cookie, { prefix, isSecure: addresses.isSecure });
    // A session that was issued while a clock was ahead would last too long.
    const latest = now().getTime() + (ttlSeconds + skewSeconds) * 1000;
    const session = sent
      .map(sessions.read)
      .find((session) => session?.audience === audience && session.until <= latest);
    const role = session && (await roleNow(session));
    return role && { ...session, role };
  }

  async function sessionFor(ticket: string, { named, audience }: Address): Promise<AppSession | undefined> {
    const taken = tickets.take(ticket);
    const app = taken && (await find(named));
    if (!taken || app?.id !== taken.appId) return undefined;
    const { name: user, role, user: account } = taken.caller;
    const session: AppSession = {
      appId: app.id,
      audience,
      user,
      role,
      environmentId: app.environment_id,
      account: account ? { id: account.id, session: account.session ?? null } : null,
      until: now().getTime() + ttlSeconds * 1000,
    };
    // The user may have changed since the ticket was issued.
    return (await roleNow(session)) && session;
  }

  async function exchange(ticket: string, location: string, address: Address) {
    const session = await sessionFor(ticket, address);
    if (!session) return undefined;
    const scope = { prefix: address.prefix, isSecure: addresses.isSecure };
    return {
      status: 303,
      location,
      cookie: sessionCookie(sessions.write(session), ttlSeconds, scope),
    } as const;
  }

  return async (request, address) => {
    const { prefix } = address;
    const { ticket, rest } = takeTicket(address.rest);
    const location = `${prefix}${ownPath(rest)}`;
    const current = await currentSession(request, address);
    if (ticket !== undefined && request.method === "GET" && !isUpgrade(request)) {
      const holder = tickets.holder(ticket);
      if (current && holder !== undefined && holder !== current.user) {
        return { page: otherUser(current.user, holder, `${prefix}${ownPath(address.rest)}`) };
      }
      // Within a session, an address with a used ticket may be opened again.
      const again = current ? ({ status: 303, location } as const) : { page: pages.spent };
      return (await exchange(ticket, location, address)) ?? again;
    }
    if (!current) return { page: pages.locked };
    if (comesFromElsewhere(request, address)) return { page: pages.foreign };
    // The button on the page `otherUser` sends this request.
    if (ticket !== undefined && request.method === "POST") {
      return (await exchange(ticket, location, address)) ?? { page: pages.spent };
    }
    // Without the slash, relative links would resolve against the parent path.
    if (!rest.startsWith("/")) return { status: 308, location: `${prefix}/${rest}` };
    return { session: current, rest };
  };
}

const isUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;

/**
 * Whether a page of another origin caused this request. Browsers send `Origin` with requests that may change something;
 * other clients send none. `SameSite=Lax` alone would admit apps on sibling hosts.
 */
function comesFromElsewhere(request: IncomingMessage, { origin }: Address): boolean {
  const isSafe = ["GET", "HEAD", "OPTIONS"].includes(request.method ?? "") && !isUpgrade(request);
  if (isSafe) return false;
  const { origin: sent, "sec-fetch-site": site } = request.headers;
  if (sent !== undefined && sent.toLowerCase() !== origin.toLowerCase()) return true;
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** The ticket in a URL, and the URL without it. */
function takeTicket(target: string): { ticket: string | undefined; rest: string } {
  const at = target.indexOf("?");
  const fields = at < 0 ? [] : target.slice(at + 1).split("&");
  const isTicket = (field: string) =>
    field.startsWith("ticket=") && ticketPattern.test(field.slice("ticket=".length));
  const others = fields.filter((field) => !isTicket(field));
  const ticket = fields.find(isTicket)?.slice("ticket=".length);
  const path = at < 0 ? target : target.slice(0, at);
  return { ticket, rest: others.length > 0 ? `${path}?${others.join("&")}` : path };
}

/** Two leading slashes, of either kind, would send a browser to another host. */
const ownPath = (target: string): string => `/${target.replace(/^[/\\]+/, "")}`;
