import { access, constants, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Environment } from "@lakehelm/contract";
import { counted } from "@lakehelm/contract/text";
import type { Engine } from "@lakehelm/engine";
import type { Settings } from "../../../settings.ts";
import type { PlatformFinding } from "../platform.ts";

/** What works on the embedded platform: the data folder, the engine and the environment's warehouse. */
export async function checkEmbedded(
  { id, name }: Environment,
  settings: Pick<Settings, "PLATFORM_DATA_DIR" | "PLATFORM_DISK_RESERVE_MB">,
  engine: Pick<Engine, "request">,
  signal: AbortSignal,
): Promise<PlatformFinding[]> {
  const folder = resolve(settings.PLATFORM_DATA_DIR);
  return [
    await dataFolder(folder, settings.PLATFORM_DISK_RESERVE_MB),
    ...(await warehouse(join(folder, "warehouse", id), { id, name }, engine, signal)),
  ];
}

async function dataFolder(folder: string, reserveMb: number): Promise<PlatformFinding> {
  const item = { name: "data folder" } as const;
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
    if (freeMb > reserveMb) {
      return { ...item, status: "ok", message: `${freeMb} MB are free in the data folder.`, action: null };
    }
    const message = `Only ${freeMb} MB are free in the data folder, and ${reserveMb} MB must stay free.`;
    return { ...item, status: "failed", message, action: "Free disk space, or move the data folder." };
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const action = "Check that PLATFORM_DATA_DIR exists and that the server may write to it.";
    return { ...item, status: "failed", message: `The data folder cannot be used (${code}).`, action };
  }
}

/** Opening a warehouse would create it, so only one that exists is opened. */
async function warehouse(
  folder: string,
  { id, name }: Pick<Environment, "id" | "name">,
  engine: Pick<Engine, "request">,
  signal: AbortSignal,
): Promise<PlatformFinding[]> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const message = `Nothing was written to the environment "${name}" yet. The engine starts with the first request.`;
    return [
      { name: "engine", status: "ok", message, action: null },
      { name: "warehouse", status: "ok", message: "The warehouse is empty.", action: null },
    ];
  }
  try {
    const scope = { environment: id, catalog: "", schema: "" };
    const { tables } = await engine.request("catalog", { scope }, { signal, timeoutMs: 20_000 });
    return [
      { name: "engine", status: "ok", message: "The engine answers.", action: null },
      {
        name: "warehouse",
        status: "ok",
        message: `The warehouse has ${counted(tables.length, "table")}.`,
        action: null,
      },
    ];
  } catch (error) {
    signal.throwIfAborted();
    const action = "See the server's log for messages of the engine.";
    return [{ name: "engine", status: "failed", message: (error as Error).message, action }];
  }
}
