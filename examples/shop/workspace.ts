import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@lakehelm/contract/client";

/** Folders of this one that have code in them, and where they go in the workspace of the environment. */
const folders = { pipelines: "pipelines", agent: "agents/order-desk", app: "apps/order-desk-ui" };

/** Copies the code that the shop runs into its workspace. */
export async function copyCode(client: Client): Promise<void> {
  for (const [folder, place] of Object.entries(folders)) {
    const from = join(import.meta.dirname, folder);
    for (const name of await readdir(from)) {
      const body = await readFile(join(from, name));
      await client.putFile({ params: { path: `${place}/${name}` }, body });
    }
  }
}
