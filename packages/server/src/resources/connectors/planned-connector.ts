import type { Connector, ConnectorCreateRequest } from "@lakehelm/contract";
import type { SealedMaps } from "../../core/secrets/encrypted-map.ts";
import type { Stored } from "../../core/store/collection.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import {
  type DeclaredDefinition,
  type DeclaredFields,
  type Definition,
  declaredWith,
} from "../planned-definition.ts";
import { checkedDatasets, newDataset, readDatasets } from "./datasets.ts";
import { declaredConnector, openConnector, sealConnector } from "./document.ts";
import { readPolicy } from "./policy.ts";

/**
 * The connector that a whole definition describes. A dataset that writes the same target as before keeps its id and its
 * watermark.
 */
export function connectorFrom(
  body: ConnectorCreateRequest,
  before: Connector | undefined,
  newId: () => string,
  context: ChangeContext,
): Connector {
  const policy = readPolicy(body.policy);
  const bare = declaredConnector(before?.id ?? "", body, context);
  const datasets = readDatasets(body.datasets ?? []).map((input) => {
    const known = before?.datasets?.find(({ target_name }) => target_name === input.target_name);
    const fresh = newDataset(known?.id ?? newId(), bare, input, context);
    if (!known) return fresh;
    const { source_dataset, primary_keys, write_strategy, custom_config } = fresh;
    return { ...known, source_dataset, primary_keys, write_strategy, custom_config };
  });
  const { policy: _, ...kept } = before ?? bare;
  return {
    ...kept,
    ...valuesOf(bare),
    ...(policy && { policy }),
    datasets: datasets.length === 0 ? ((before?.datasets && []) ?? null) : checkedDatasets(datasets, bare),
  };
}

/** A definition with its secrets; a mask in it stands for the stored secret. */
export function declareConnector(
  maps: SealedMaps,
  body: ConnectorCreateRequest,
  before: Stored<Connector> | undefined,
  newId: () => string,
  context: ChangeContext,
): DeclaredDefinition {
  const { doc, sealed, open } = sealConnector(maps, connectorFrom(body, before?.doc, newId, context), before);
  const masked = definitionOf(doc);
  return declaredWith(masked, () => (sealed === null ? masked : definitionOf(open())));
}

export const storedConnector = (maps: SealedMaps, { doc, sealed }: Stored<Connector>): DeclaredDefinition => {
  const masked = definitionOf(doc);
  return declaredWith(masked, () =>
    sealed === null ? masked : definitionOf(openConnector(maps, doc, sealed)),
  );
};

/** The fields of a connector that a caller declares. */
const definitionOf = (doc: Connector): Definition => ({
  ...valuesOf(doc),
  policy: doc.policy ?? null,
  datasets: (doc.datasets ?? []).map(
    ({ source_dataset, target_name, primary_keys, write_strategy, custom_config }) => ({
      source_dataset,
      target_name,
      primary_keys,
      write_strategy,
      custom_config: custom_config && Object.keys(custom_config).length > 0 ? custom_config : null,
    }),
  ),
});

/** The declared fields that have the same form in the request and in the document. */
const valuesOf = (doc: Connector) =>
  ({
    name: doc.name,
    target_type: doc.target_type,
    target_config: doc.target_config,
    execution_mode: doc.execution_mode,
    schedule_cron: doc.schedule_cron,
    table_update_config: doc.table_update_config,
    file_arrival_config: doc.file_arrival_config,
  }) satisfies Omit<DeclaredFields<ConnectorCreateRequest>, "policy" | "datasets">;
