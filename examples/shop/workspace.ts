import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@lakehelm/contract/client";

/** Folders with code, and their paths in the workspace of the environment. */
const folders = { pipelines: "pipelines", agent: "agents/order-desk", app: "apps/order-desk-ui" };

/** Uploads the code of the shop to the workspace. */
export async function uploadCode(client: Client): Promise<void> {
  for (const [folder, target] of Object.entries(folders)) {
    const source = join(import.meta.dirname, folder);
    for (const name of await readdir(source)) {
      const body = await readFile(join(source, name));
      await client.putFile({ params: { path: `${target}/${name}` }, body });
    }
  }
}
