import { connectionKind } from "@lakehelm/contract/connections";
import type { ConnectionConfig } from "@lakehelm/engine";
import type { Lineage, LineageDataset } from "../../runtime/jobs/lineage.ts";
import { fullTableName } from "../../runtime/platforms/warehouse.ts";
import type { ConnectorTransfer } from "./transfer-request.ts";

/** What a connector reads and writes, by the names that OpenLineage gives to datasets of other systems. */
export function lineageOf({ scope, direction, connection, datasets }: ConnectorTransfer): Lineage {
  const inWarehouse = (name: string): LineageDataset => ({ name: fullTableName(name, scope) });
  const outside = (name: string) => datasetOf(connection, name);
  const [read, written] = direction === "in" ? [outside, inWarehouse] : [inWarehouse, outside];
  return {
    inputs: datasets.map(({ source }) => read(source)),
    outputs: datasets.map(({ target }) => written(target)),
  };
}

const datasetOf = ({ type, config }: ConnectionConfig, name: string): LineageDataset =>
  connectionKind(type)?.lineage(config, name) ?? { namespace: type.toLowerCase(), name };
