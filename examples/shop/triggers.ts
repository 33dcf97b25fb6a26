import type { Client } from "@lakehelm/contract/client";

/**
 * Pauses or resumes the automation and flows that start when a table changes. The demo runs each step once, in order,
 * and reports the rows of each run: runs of triggers in between would take some of these rows.
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
