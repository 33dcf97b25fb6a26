/** A table as it will be: a plan knows the table before a run creates or changes it. */
export interface ExpectedTable {
  /** `catalog.schema.table`, in lower case. */
  readonly name: string;
  /**
   * The columns with their Databricks types; null: the table will exist, but its columns are unknown unless it exists
   * already.
   */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
}
