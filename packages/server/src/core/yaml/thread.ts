/** The worker thread of the YAML parser. */
import { parentPort } from "node:worker_threads";
import { parseYaml } from "./parse.ts";
import { parserReady, type YamlRequest } from "./parser.ts";

parentPort?.on("message", ({ text, mode }: YamlRequest) => {
  const parsed = parseYaml(text, mode);
  parentPort?.postMessage(parsed, "nodes" in parsed ? [parsed.nodes.buffer] : []);
});
parentPort?.postMessage(parserReady);
