import type { Connector } from "@lakehelm/contract";
import { trimEnd } from "@lakehelm/contract/text";
import { isS3Path } from "@lakehelm/engine";

/** A dataset is a file, a glob, or a folder, which represents its files. */
export function filesOf(folder: string, datasets: NonNullable<Connector["datasets"]>): string {
  const names = datasets.flatMap(({ source_dataset: name }) => [name, `${trimEnd(name, /\//)}/*`]);
  return names.length === 0 ? folder : `${trimEnd(folder, /\//)}/{${names.join(",")}}`;
}

/**
 * The datasets in object storage that a trigger waits for: those of the connector, or the path that its config names,
 * relative to the connection's. Undefined if the path is elsewhere.
 */
export function watchedDatasets(
  path: string,
  folder: unknown,
  datasets: NonNullable<Connector["datasets"]>,
): string[] | undefined {
  if (typeof folder !== "string" || !isS3Path(folder)) return undefined;
  const root = trimEnd(folder, /\//);
  if (path === filesOf(folder, datasets)) return datasets.map(({ source_dataset }) => source_dataset);
  if (trimEnd(path, /\//) === root) return ["."];
  return path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : undefined;
}
