import type { Client } from "@lakehelm/contract/client";
import { tinyProgram } from "./tiny-program.ts";

export interface TinyApp {
  readonly path?: string;
  /** Additional lines of the `app.yaml`. */
  readonly yaml?: string;
  readonly code?: string;
}

/** Puts the files of a tiny app into an environment's workspace; returns their folder, for a `source_path`. */
export async function putTinyApp(
  client: Client,
  environment: string,
  { path = "tiny", yaml = "", code = "" }: TinyApp = {},
): Promise<string> {
  const put = (name: string, body: string) =>
    client.putFile({ params: { path: `${path}/${name}` }, body, environment });
  await put("app.yaml", `command: [node, app.mjs]\n${yaml}`);
  await put("app.mjs", tinyProgram(code));
  return path;
}
