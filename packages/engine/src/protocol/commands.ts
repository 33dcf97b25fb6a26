/** The command that reads all rows of a connector again, or those of one of its datasets, and removes rows that are gone. */
export const fullRefreshCommand = (connector: string, dataset?: string): string =>
  `lakehelm connectors run ${connector}${chosen(dataset)} --set parameters.full_refresh=true`;

/** The command that reads all rows of a dataset again, and removes none. */
export const resetWatermarkCommand = (connector: string, dataset: string): string =>
  `lakehelm connectors run ${connector}${chosen(dataset)} --set parameters.reset_watermark=true`;

const chosen = (dataset: string | undefined): string =>
  dataset === undefined
    ? ""
    : ` --set 'parameters.datasets=${JSON.stringify([dataset]).replaceAll("'", String.raw`'\''`)}'`;
