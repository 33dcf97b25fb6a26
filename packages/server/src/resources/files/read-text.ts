import { buffer } from "node:stream/consumers";
import type { Environment } from "@lakehelm/contract";
import { counted } from "@lakehelm/contract/text";
import { conflict } from "../../core/errors.ts";
import type { Files } from "./files.ts";

/** The text of a file of an environment; 404 if there is none, 409 if it is larger or no text. */
export async function readText(
  files: Pick<Files, "open">,
  environment: Environment,
  path: string,
  limit: { readonly bytes: number; readonly sentence: string },
): Promise<string> {
  const { file, bytes } = await files.open(environment, path);
  if (file.size > limit.bytes) {
    bytes.destroy();
    throw conflict(`"${path}" has ${counted(file.size, "byte")}. ${limit.sentence}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await buffer(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw conflict(`"${path}" is not UTF-8 text.`);
  }
}
