import { arrowStream, type endpoints, moreRowsHeader, rowCountHeader } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { QueryResult } from "@lakehelm/engine";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Call, Handlers } from "../../web/http/handler.ts";
import { json } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";

export function queryHandlers(
  environments: Environments,
  clock: () => number,
): Handlers<Pick<typeof endpoints, "runQuery" | "planQuery" | "downloadQuery">> {
  /** Neither format is paged: a plan reads no rows, and a file has all of them. */
  const wholeQuery = async (
    call: Pick<Call<typeof endpoints.planQuery>, "body" | "header" | "signal">,
    format: "plan" | "parquet",
  ) => {
    const env = await environments.actIn(call.header("x-environment-id"));
    const { sql, dialect, timeout_seconds } = call.body;
    const page = { skip: 0, limit: 1, timeoutMs: timeout_seconds * 1000 };
    const query = { sql, dialect, format, scope: warehouseScope(env), ...page };
    return requestWarehouse(env, "query", query, call.signal);
  };
  /** To the millisecond. */
  const secondsSince = (started: number) => Math.round(clock() - started) / 1000;
  return {
    async planQuery(call) {
      const started = clock();
      const { plan } = await wholeQuery(call, "plan");
      return {
        body: {
          text: plan?.text ?? "",
          operators: plan?.operators ? [...plan.operators] : null,
          seconds: secondsSince(started),
        },
      };
    },
    async downloadQuery(call) {
      const { parquet } = await wholeQuery(call, "parquet");
      return { bytes: [parquet ?? ""], contentType: "application/octet-stream" };
    },
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
      if (result.arrow) {
        const headers = { [rowCountHeader]: String(result.count), [moreRowsHeader]: String(result.more) };
        return { bytes: [result.arrow], contentType: arrowStream, headers };
      }
      return { bytes: answerParts(result, secondsSince(started)), contentType: json };
    },
  };
}

/** The engine has already encoded the rows: encoding them in the server would block other requests. */
const answerParts = ({ columns, rows, count, more }: QueryResult, seconds: number) => [
  `{"columns":${encodeJson(columns)},"rows":`,
  rows ?? "[]",
  `,"count":${count},"more":${more},"seconds":${seconds}}`,
];
