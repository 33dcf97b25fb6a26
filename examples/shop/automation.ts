import { readFile } from "node:fs/promises";
import type { DemoServer } from "./server.ts";

const alias = "refresh-sales";

/** Releases the automation that updates the pipeline when rows come in. Without a new definition this changes nothing. */
export async function releaseAutomation({ client, url, token }: DemoServer): Promise<void> {
  const automations = await Array.fromAsync(client.all.listAutomations());
  if (!automations.some((one) => one.alias === alias)) await client.createAutomation({ body: { alias } });
  // The typed client sends JSON; this definition is YAML.
  const response = await fetch(`${url}/api/automations/${alias}/definition`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/yaml" },
    body: await readFile(new URL("refresh-sales.yaml", import.meta.url)),
  });
  if (!response.ok)
    throw new Error(`The server rejected the definition of ${alias}: ${await response.text()}`);
  await client.syncAutomationRelease({
    body: { automation_alias: alias, environment: "local", action: "activate", metadata: { version: "1" } },
  });
}
