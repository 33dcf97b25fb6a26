import type { Connector } from "@lakehelm/contract";
import type { SealedMaps } from "../../core/secrets/encrypted-map.ts";

type FreeFormMaps = Readonly<Record<string, unknown>>;

/** The free-form maps of a connector, which may hold secrets. Datasets by id, because their order changes. */
const freeForm = (doc: Connector): FreeFormMaps => ({
  target_config: doc.target_config,
  table_update_config: doc.table_update_config,
  file_arrival_config: doc.file_arrival_config,
  cluster_config: doc.cluster_config,
  datasets: Object.fromEntries((doc.datasets ?? []).map(({ id, custom_config }) => [id, custom_config])),
});

function withFreeForm(doc: Connector, tree: FreeFormMaps): Connector {
  // Masking and restoring replace strings with strings: the shape stays the same.
  const { datasets, ...maps } = tree as ReturnType<typeof freeForm> & {
    datasets: Record<string, FreeFormMaps | null>;
  };
  return {
    ...doc,
    ...(maps as Pick<Connector, "target_config">),
    datasets:
      doc.datasets?.map((dataset) => ({ ...dataset, custom_config: datasets[dataset.id] ?? null })) ?? null,
  };
}

const freeFormKeys = [
  "target_config",
  "table_update_config",
  "file_arrival_config",
  "cluster_config",
  "datasets",
] as const;

/**
 * The connector with masked secrets, and the secrets separately; a mask in it keeps the secret of `before`. Most
 * changes leave all maps unchanged: then nothing is decrypted and encrypted again.
 */
export function sealConnector(
  maps: SealedMaps,
  doc: Connector,
  before?: { readonly doc: Connector; readonly sealed: string | null },
) {
  if (before && freeFormKeys.every((key) => doc[key] === before.doc[key])) {
    return { doc, sealed: before.sealed };
  }
  const { masked, sealed } = maps.seal(freeForm(doc), before?.sealed);
  return { doc: withFreeForm(doc, masked), sealed };
}

/** The connector with its secrets, for the platform. */
export const openConnector = (maps: SealedMaps, doc: Connector, sealed: string | null): Connector =>
  withFreeForm(doc, maps.open(freeForm(doc), sealed));
