import type { endpoints } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import type { Addresses } from "../../web/gateway/addresses.ts";
import type { Tickets } from "../../web/gateway/tickets.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { Apps } from "./apps.ts";

export function ticketHandlers(
  apps: Pick<Apps, "read">,
  environments: Pick<Environments, "read">,
  tickets: Tickets,
  addresses: Pick<Addresses, "urlOf" | "refusal">,
): Handlers<Pick<typeof endpoints, "createTicket">> {
  return {
    async createTicket({ params, caller }) {
      const { doc: app } = await apps.read(params.app_id);
      const { doc: environment } = await environments.read(app.environment_id);
      const refusal = typeof app.url === "string" ? undefined : addresses.refusal(environment);
      if (refusal !== undefined) throw conflict(refusal);
      const { ticket, expiresAt } = tickets.issue(app, caller);
      // A platform that serves the app itself also authenticates its users itself: the URL needs no ticket.
      if (typeof app.url === "string") return { body: { url: app.url, expires_at: expiresAt.toISOString() } };
      const url = `${addresses.urlOf(app, environment)}?ticket=${ticket}`;
      return { body: { url, expires_at: expiresAt.toISOString() } };
    },
  };
}
