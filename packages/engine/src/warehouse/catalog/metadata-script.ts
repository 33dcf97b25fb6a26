import { metadataChanges } from "../../protocol/metadata-changes.ts";
import type { WarehouseScope } from "../../protocol/scope.ts";
import type { Warehouse } from "../warehouse.ts";
import { changeMetadataOfTables } from "./metadata.ts";

/** Runs the statements of an alter-metadata artifact in one transaction. */
export const applyMetadata = async (
  warehouse: Warehouse,
  scope: WarehouseScope,
  sql: string,
): Promise<{ changed: boolean }> => changeMetadataOfTables(warehouse, metadataChanges(scope, sql));
