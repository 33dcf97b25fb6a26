import type { DemoServer } from "./server.ts";

/** The agent that answers questions about orders, and the app in which users ask them. */
export interface OrderDesk {
  readonly question: string;
  readonly answer: string;
  /** Opens the app in one browser, within a minute. */
  readonly appUrl: string;
  /** The address for a POST that returns another address of this kind. */
  readonly ticketsUrl: string;
}

const agent = "order-desk";
const app = "order-desk-ui";

/** Starts the agent and the app, and asks the agent a question. */
export async function startOrderDesk({ client, url, token, environment }: DemoServer): Promise<OrderDesk> {
  const { app: started } = await client.startApp({ body: { application_name: app }, timeoutMs: 90_000 });
  const question = "How many orders are there?";
  const response = await fetch(`${url}/agents/${agent}/invocations`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-environment-id": environment,
    },
    body: JSON.stringify({ messages: [{ role: "user", content: question }] }),
  });
  const { output_text, error } = (await response.json()) as { output_text?: string; error?: string };
  if (!response.ok || output_text === undefined) {
    const reason = error === undefined ? "" : `: ${error}`;
    throw new Error(`The agent ${agent} gave no answer (status ${response.status})${reason}.`);
  }
  const ticket = await client.createTicket({ params: { app_id: started.id } });
  const ticketsUrl = `${url}/api/apps/${started.id}/tickets`;
  return { question, answer: output_text, appUrl: ticket.url, ticketsUrl };
}
