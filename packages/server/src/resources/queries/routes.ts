import { arrowStream, type endpoints } from "@lakehelm/contract";
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
      const {
        columns,
        rows = [],
        count,
        more,
        arrow,
      } = await requestWarehouse(env, "query", query, call.signal);
      if (arrow) return { bytes: Buffer.from(arrow), contentType: arrowStream };
      const seconds = (clock() - started) / 1000;
      return {
        body: { columns: [...columns], rows: rows.map((row) => [...row]), count, more, seconds },
      };
    },
  };
}
