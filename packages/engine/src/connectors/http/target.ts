import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import type { TargetContext } from "../target/context.ts";
import { findings } from "../target/findings.ts";
import { readSettings } from "../target/settings.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { type HttpEndpoint, HttpSender, type Pause, realPause } from "./sender.ts";
import { HttpTargetTable } from "./target-table.ts";

const methods = ["post", "put", "patch"] as const;

/** An HTTP endpoint as a target: it is sent rows in batches, and can be asked nothing. */
export async function openHttpTarget(
  connection: ConnectionConfig,
  context: TargetContext,
  pause: Pause = realPause,
): Promise<ConnectorTarget> {
  const endpoint = readEndpoint(connection);
  const sending = new HttpSender(endpoint, pause);
  return {
    check: (names) =>
      findings(
        () => sending.probe(context.signal),
        names,
        async (name) => `${name} will be sent in batches of ${endpoint.batchSize} rows`,
      ),
    discover: async () => [],
    async table(destination) {
      if (destination.strategy === "replace") {
        throw new DataProblem(
          'An HTTP endpoint cannot be replaced in one step. Expected the write strategy "upsert" or "append".',
        );
      }
      return new HttpTargetTable(sending, endpoint, destination, context);
    },
    async close() {},
  };
}

function readEndpoint(connection: ConnectionConfig): HttpEndpoint {
  const endpoint = readSettings(connection, ["url", "headers", "method"], (reader) => ({
    url: reader.required("url"),
    headers: reader.options("headers"),
    method: (reader.choice("method", methods) ?? "post").toUpperCase(),
    batchSize: reader.count("batch_size", 1, 100_000) ?? 500,
  }));
  const problems = Object.entries(endpoint.headers).flatMap(headerProblems);
  const protocol = URL.parse(endpoint.url)?.protocol;
  if (protocol !== "https:" && protocol !== "http:")
    problems.push("target_config.url is not an http or https address.");
  if (problems.length > 0) throw new DataProblem(problems.join(" "));
  return endpoint;
}

/** What the connector sets itself, and what HTTP cannot carry. Values are secrets: they are told to nobody. */
function headerProblems([name, value]: readonly [string, string]): string[] {
  const where = `target_config.headers: ${JSON.stringify(name)}`;
  if (["content-type", "content-length", "idempotency-key", "host"].includes(name.toLowerCase())) {
    return [`${where} is set by the connector itself.`];
  }
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [`${where} cannot be the name of a header.`];
  return /^[\x20-\x7e]*$/.test(value) ? [] : [`${where} has a value that a header cannot carry.`];
}
