import type { endpoints } from "@lakehelm/contract";
import { definedOnly } from "../../core/patch.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import { metadataChange } from "./metadata.ts";

export function catalogHandlers(
  environments: Environments,
): Handlers<Pick<typeof endpoints, "readCatalog" | "changeMetadata">> {
  return {
    async readCatalog(call) {
      const place = await environments.actIn(call.header("x-environment-id"));
      const { skip, limit, ...which } = call.query;
      const asked = { scope: warehouseScope(place), ...definedOnly(which) };
      const { catalogs, schemas, tables } = await requestWarehouse(place, "catalog", asked, call.signal);
      const page = tables
        .slice(skip, skip + limit)
        .map((table) => ({ ...table, columns: [...table.columns] }));
      return { body: { catalogs, schemas, tables: page, total: tables.length } };
    },
    async changeMetadata(call) {
      const place = await environments.actIn(call.header("x-environment-id"));
      const scope = warehouseScope(place);
      const { body, signal } = call;
      const { changed } = await ("artifact" in body
        ? requestWarehouse(place, "applyMetadata", { scope, sql: body.artifact }, signal)
        : requestWarehouse(place, "metadata", metadataChange(scope, body), signal));
      const message = changed ? "Descriptions and tags are changed." : "Everything was so already.";
      return { body: { changed, message } };
    },
  };
}
