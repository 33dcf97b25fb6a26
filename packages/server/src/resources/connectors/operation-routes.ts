import type { endpoints } from "@lakehelm/contract";
import { databricksType } from "@lakehelm/engine";
import type { Handlers } from "../../web/http/handler.ts";
import type { ConnectorOperations } from "./operations.ts";

type Routes = "checkConnector" | "discoverConnector" | "previewConnector" | "listRejects" | "retryRejects";

export function operationHandlers(operations: ConnectorOperations): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async checkConnector({ params, signal }) {
      const findings = await operations.check(params.connector_id, signal);
      return { body: { ok: findings.every(({ ok }) => ok), findings: [...findings] } };
    },
    async discoverConnector({ params, signal }) {
      const found = await operations.discover(params.connector_id, signal);
      const datasets = found.map(({ columns, primary_keys, watermark_candidates, ...rest }) => ({
        ...rest,
        columns: columns.map(({ name, type, origin, nullable }) => ({
          name,
          type: databricksType(type),
          origin,
          nullable,
        })),
        primary_keys: [...primary_keys],
        watermark_candidates: [...watermark_candidates],
      }));
      return { body: { datasets } };
    },
    async previewConnector({ params, body, signal }) {
      const previews = await operations.preview(params.connector_id, body?.dataset_id, signal);
      const datasets = previews.map(([{ id, source, target }, preview]) => ({
        dataset_id: id,
        source_dataset: source,
        target_name: target,
        ...preview,
        rejects: [...preview.rejects],
        samples: [...preview.samples],
        schema: [...preview.schema],
        warnings: [...preview.warnings],
      }));
      return { body: { datasets } };
    },
    async listRejects({ params, query, signal }) {
      const { rejects, total, connector } = await operations.rejects(params.connector_id, query, signal);
      const targets = new Map(connector.datasets?.map(({ id, target_name }) => [id, target_name]));
      return {
        body: {
          rejects: rejects.map(({ dataset, run, ...rest }) => ({
            ...rest,
            dataset_id: dataset,
            target_name: targets.get(dataset) ?? "",
            run_id: run,
          })),
          total,
        },
      };
    },
    retryRejects: async (call) => ({ body: await operations.retryRejects(call.params.connector_id, call) }),
  };
}
