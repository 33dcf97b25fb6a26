import { type endpoints, memoryListFields } from "@lakehelm/contract";
import { definedOnly } from "../../core/patch.ts";
import { pageEnd, pageInMemory } from "../../core/store/list-in-memory.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { Alterations } from "./alterations.ts";
import { metadataChange } from "./metadata.ts";

const idOf = ({ catalog, schema, name }: Record<"catalog" | "schema" | "name", string>) =>
  `${catalog}.${schema}.${name}`;

export function catalogHandlers(
  environments: Environments,
  alterations: Alterations,
): Handlers<Pick<typeof endpoints, "readCatalog" | "changeMetadata" | "planTableAlteration" | "alterTable">> {
  return {
    async planTableAlteration(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      const { answer } = await alterations.plan(env, call.body, call.signal);
      return { body: answer };
    },
    async alterTable(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      return { body: await alterations.apply(env, call.body, call.context, call.signal) };
    },
    async readCatalog(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      const { catalog, schema, table } = call.query;
      const request = { scope: warehouseScope(env), ...definedOnly({ catalog, schema, table }) };
      const { catalogs, schemas, tables } = await requestWarehouse(env, "catalog", request, call.signal);
      const fields = memoryListFields.tables;
      const list = `tables ${JSON.stringify([env.environment.id, catalog, schema, table])}`;
      const page = pageInMemory(list, tables, { fields, idOf }, call.query);
      const shown = page.items.map((table) => ({ ...table, columns: [...table.columns] }));
      return { body: { catalogs, schemas, tables: shown, ...pageEnd(page) } };
    },
    async changeMetadata(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      const scope = warehouseScope(env);
      const { body, signal } = call;
      const { changed } = await ("artifact" in body
        ? requestWarehouse(env, "applyMetadata", { scope, sql: body.artifact }, signal)
        : requestWarehouse(env, "metadata", metadataChange(scope, body), signal));
      const message = changed
        ? "The descriptions and tags were changed."
        : "Nothing changed: the descriptions and tags already have these values.";
      return { body: { changed, message } };
    },
  };
}
