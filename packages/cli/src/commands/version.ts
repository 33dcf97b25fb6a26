import { readFile } from "node:fs/promises";
import { type Io, write } from "../io.ts";

/** After options; otherwise the program that starts this one has answered already, without loading anything. */
export async function version({ stdout }: Io): Promise<void> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  await write(stdout, `lakehelm ${(JSON.parse(text) as { version: string }).version}\n`);
}
