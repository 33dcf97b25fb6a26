import type { WarehouseScope } from "./scope.ts";

export interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly comment: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

export interface CatalogTable {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view";
  readonly comment: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly rows: number | null;
  readonly columns: readonly CatalogColumn[];
}

/** Counts the changes of a table: each transaction that changes the table increases it. */
export interface TableVersion {
  /** `catalog.schema.table` */
  readonly name: string;
  readonly version: number;
  readonly at: string;
}

export interface CatalogMetadataChange {
  readonly scope: WarehouseScope;
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  /** Absent leaves it unchanged, null removes it. In tags, a null value removes that tag. */
  readonly comment?: string | null;
  readonly tags?: Readonly<Record<string, string | null>>;
  readonly columns: readonly {
    readonly column: string;
    readonly comment?: string | null;
    readonly tags?: Readonly<Record<string, string | null>>;
  }[];
}
