import { arrowStream, type EndpointResponse, type endpoints } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { QueryResult } from "@lakehelm/engine";
import type { Text } from "../../core/store/collection.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";

export function queryHandlers(
  environments: Environments,
  clock: () => number,
): Handlers<Pick<typeof endpoints, "runQuery">> {
  return {
    async runQuery(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      const { timeout_seconds, ...request } = call.body;
      const format = call.header("accept")?.includes(arrowStream) ? "arrow" : "json";
      const query = {
        ...request,
        scope: warehouseScope(env),
        timeoutMs: timeout_seconds * 1000,
        format,
      } as const;
      const started = clock();
      const result = await requestWarehouse(env, "query", query, call.signal);
      if (result.arrow) return { bytes: Buffer.from(result.arrow), contentType: arrowStream };
      return { text: answerText(result, (clock() - started) / 1000) };
    },
  };
}

/** The engine has encoded the rows: here they would only hold up other requests. */
const answerText = (
  { columns, rows, count, more }: QueryResult,
  seconds: number,
): Text<EndpointResponse<typeof endpoints.runQuery>> =>
  `{"columns":${encodeJson(columns)},"rows":${Buffer.from(rows ?? "[]").toString()},"count":${count},"more":${more},"seconds":${seconds}}` as Text<
    EndpointResponse<typeof endpoints.runQuery>
  >;
