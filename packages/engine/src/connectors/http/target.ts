import { httpFields, httpMethodFields } from "@lakehelm/contract/connections";
import { counted } from "@lakehelm/contract/text";
import type { EgressRules } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { runChecks } from "../checks.ts";
import { readTargetSettings } from "../settings.ts";
import type { TargetContext } from "../target/context.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { type HttpEndpoint, HttpSender, type Pause, realPause } from "./sender.ts";
import { HttpTargetTable } from "./target-table.ts";

const fields = { ...httpFields, ...httpMethodFields };

/** An HTTP endpoint as a target. It receives rows in batches and cannot be read. */
export async function openHttpTarget(
  connection: ConnectionConfig,
  context: TargetContext,
  pause: Pause = realPause,
): Promise<ConnectorTarget> {
  const endpoint = readEndpoint(connection, context.egress);
  const sender = new HttpSender(endpoint, pause);
  return {
    check: (names) =>
      runChecks(
        () => sender.probe(context.signal),
        names.map(
          (name) => async () => `${name} will be sent in batches of ${counted(endpoint.batchSize, "row")}`,
        ),
      ),
    discover: async () => [],
    async table(destination) {
      if (destination.strategy === "replace") {
        throw new DataProblem(
          'An HTTP endpoint cannot be replaced in one step. Expected the write strategy "upsert" or "append".',
        );
      }
      return new HttpTargetTable(sender, endpoint, destination, context);
    },
    async close() {},
  };
}

const readEndpoint = (connection: ConnectionConfig, egress: EgressRules): HttpEndpoint =>
  readTargetSettings(fields, connection, ({ url, headers, method, batch_size }) => ({
    egress,
    url,
    headers,
    method: method.toUpperCase(),
    batchSize: batch_size,
  }));
