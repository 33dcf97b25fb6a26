import { readFile } from "node:fs/promises";
import { type Io, write } from "../io.ts";

/** Runs only if options precede `--version`; otherwise the start script has answered without loading anything. */
export async function version({ stdout }: Io): Promise<void> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  await write(stdout, `lakehelm ${(JSON.parse(text) as { version: string }).version}\n`);
}
