import type { Client } from "@lakehelm/contract/client";
import type { Lakehelm } from "./lakehelm.ts";

/** The agent that answers questions about orders, with a page to ask them on. */
export interface Desk {
  readonly question: string;
  readonly answer: string;
  /** Where a browser gets in, once, within a minute. */
  readonly page: string;
  /** Where another such address is to be had. */
  readonly tickets: string;
}

const agent = "order-desk";
const app = "order-desk-ui";

/** Registers agent and app, unless they are there, starts both, and asks something. */
export async function openDesk({ client, url, token }: Lakehelm): Promise<Desk> {
  await register(client);
  const { app: started } = await client.startApp({ body: { application_name: app }, timeoutMs: 90_000 });
  const question = "How many orders are there?";
  const answered = await fetch(`${url}/agents/${agent}/invocations`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content: question }] }),
  });
  const { output_text } = (await answered.json()) as { output_text?: string };
  if (!answered.ok || output_text === undefined) throw new Error(`The agent ${agent} does not answer.`);
  const ticket = await client.createTicket({ params: { app_id: started.id } });
  const tickets = `${url}/api/apps/${started.id}/tickets`;
  return { question, answer: output_text, page: ticket.url, tickets };
}

async function register(client: Client): Promise<void> {
  for await (const one of client.all.listApps()) if (one.name === app) return;
  const agents = await Array.fromAsync(client.all.listAgents());
  if (!agents.some(({ name }) => name === agent)) {
    const description = "Answers questions about orders";
    await client.createAgent({ body: { name: agent, description, source_path: `agents/${agent}` } });
  }
  await client.createApp({ body: { name: app, agent, source_path: `apps/${app}` } });
}
