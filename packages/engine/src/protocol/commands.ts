/** The command that reads all rows of a connector again. */
export const fullRefreshCommand = (connector: string): string =>
  `lakehelm connectors run ${connector} --set parameters.full_refresh=true`;
