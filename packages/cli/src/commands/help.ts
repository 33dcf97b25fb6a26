import type { Command } from "commander";
import { endpointOf } from "../connection/session.ts";
import { toYaml } from "../output/yaml.ts";
import type { OperationCommand } from "../table/spec.ts";

/** The contract's example of a request, for `-f`. */
export function addBodyExample(command: Command, { operation }: OperationCommand): void {
  const { example, body } = endpointOf(operation);
  if (!body || body === "bytes" || example?.body === undefined) return;
  command.addHelpText(
    "after",
    `\nA request, for -f:\n${toYaml(example.body).trimEnd().replaceAll(/^/gm, "  ")}`,
  );
}
