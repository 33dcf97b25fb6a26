/** A table as it will be: a plan knows it before any run has made it so. */
export interface ExpectedTable {
  /** `catalog.schema.table`, in lower case. */
  readonly name: string;
  /** With their Databricks types; null: it will be there, with columns that nobody knows unless it is there already. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
}
