import type { AutomationDefinition } from "@lakehelm/contract";
import type { Project } from "../../packages/cli/src/project/project.ts";
import { definitionOf } from "./definitions.ts";
import type { DemoServer } from "./server.ts";

const alias = "refresh-sales";

/** Releases the automation that updates the pipeline when rows come in. Without a new definition this changes nothing. */
export async function releaseAutomation(
  { client, environment }: DemoServer,
  project: Project,
): Promise<void> {
  const automations = await Array.fromAsync(client.all.listAutomations());
  if (!automations.some((one) => one.alias === alias)) await client.createAutomation({ body: { alias } });
  // The server validates it.
  const body = definitionOf(project, "automation", alias).definition as AutomationDefinition;
  await client.setDefinition({ params: { automation_alias: alias }, body });
  await client.syncAutomationRelease({
    body: { automation_alias: alias, environment, action: "activate", metadata: { version: "1" } },
  });
}
