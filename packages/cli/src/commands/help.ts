import type { Command } from "commander";
import { endpointOf } from "../connection/session.ts";
import { fieldsOf } from "../input/fields.ts";
import { toYaml } from "../output/yaml.ts";
import type { OperationCommand } from "../table/spec.ts";

/** Adds what the flags do not show of a request: fields that are objects or lists, and the contract's example. */
export function addBodyHelp(command: Command, { operation, secret, requests = {} }: OperationCommand): void {
  const { example, body } = endpointOf(operation);
  if (!body || body === "bytes") return;
  const nested = fieldsOf(body).filter(({ name, type }) => type === "nested" && name !== secret);
  if (nested.length > 0) {
    const lines = nested.map(
      ({ name, required, description }) => `  ${name}: ${required ? "Required: " : ""}${description}`,
    );
    command.addHelpText("after", `\nFields without a flag, for -f and --set:\n${lines.join("\n")}`);
  }
  const all = { ...requests, ...(example?.body !== undefined && { "A request, for -f": example.body }) };
  for (const [title, request] of Object.entries(all)) {
    command.addHelpText("after", `\n${title}:\n${toYaml(request).trimEnd().replaceAll(/^/gm, "  ")}`);
  }
}
