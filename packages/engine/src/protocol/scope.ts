/** The warehouse of an environment, with the catalog and schema that complete names of fewer than three parts. */
export interface WarehouseScope {
  readonly environment: string;
  readonly catalog: string;
  readonly schema: string;
}
