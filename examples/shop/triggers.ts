import type { Client } from "@lakehelm/contract/client";

/**
 * Pauses or resumes what starts by itself when a table changes. The demo runs everything once, in order, and says what each run
 * did: runs of triggers in between would share the rows among them.
 */
export async function setTriggers(client: Client, action: "pause" | "resume"): Promise<void> {
  await client.setSchedule({ params: { automation_alias: "refresh-sales", action } });
  const { flows } = await client.listFlows({ query: { name: "customer_value" } });
  for (const { id } of flows) {
    const params = { flow_id: id };
    await (action === "pause" ? client.pauseFlow({ params }) : client.resumeFlow({ params }));
  }
  const { connectors } = await client.listConnectors({ query: { name: "crm-out" } });
  for (const { id } of connectors) {
    const params = { connector_id: id };
    await (action === "pause" ? client.pauseConnector({ params }) : client.resumeConnector({ params }));
  }
}
