import { open } from "node:fs/promises";

/** A new file name is durable once its folder is synced. Windows cannot sync folders and does not need to. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
