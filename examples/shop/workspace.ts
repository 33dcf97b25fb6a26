import type { Client } from "@lakehelm/contract/client";
import type { Project } from "../../packages/cli/src/project/project.ts";

/** Uploads the code of the shop to the workspace: SQL, and the folders of the agent and the app. */
export async function uploadCode(client: Client, { code }: Project): Promise<void> {
  for (const { path, bytes } of code) await client.putFile({ params: { path }, body: bytes });
}
