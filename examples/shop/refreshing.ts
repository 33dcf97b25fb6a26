import { readFile } from "node:fs/promises";
import type { Lakehelm } from "./lakehelm.ts";

const alias = "refresh-sales";

/** Releases the automation that runs the pipeline when something has come in. Released again as it is, nothing changes. */
export async function releaseRefreshing({ client, url, token }: Lakehelm): Promise<void> {
  const automations = await Array.fromAsync(client.all.listAutomations());
  if (!automations.some((one) => one.alias === alias)) await client.createAutomation({ body: { alias } });
  // As a person has written it: in YAML.
  const answer = await fetch(`${url}/api/automations/${alias}/definition`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/yaml" },
    body: await readFile(new URL("refresh-sales.yaml", import.meta.url)),
  });
  if (!answer.ok) throw new Error(`The automation ${alias} is refused: ${await answer.text()}`);
  await client.syncAutomationRelease({
    body: { automation_alias: alias, environment: "local", action: "activate", metadata: { version: "1" } },
  });
}
