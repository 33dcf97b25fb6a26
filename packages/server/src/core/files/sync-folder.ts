import { open } from "node:fs/promises";

/** A file's name is as durable as its folder. Windows cannot open one, and does not need to. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
