/** A column of rows in transfer. Types are written as DuckDB writes them: `DECIMAL(12,2)`, `TIMESTAMP WITH TIME ZONE`, `VARCHAR[]`. */
export interface WarehouseColumn {
  readonly name: string;
  /** The type in the warehouse. */
  readonly type: string;
  /**
   * The type in which rows are staged, if it differs. The warehouse casts each value; a value that cannot be cast makes its
   * row a reject. JSON of a list is cast to the list in the same way.
   */
  readonly wire?: string;
  /** The type was inferred from values. If the table already has another type, values are read as that type instead. */
  readonly inferred?: true;
  /** The type was set by hand. A value that it does not hold exactly makes its row a reject. */
  readonly kept?: {
    /** The column as its source has it. */
    readonly source: WarehouseColumn;
    /** Of a text. */
    readonly length: { readonly characters: number; readonly isChar: boolean } | undefined;
  };
  /** The type that the column of the table is changed to: it holds the values that are there. */
  readonly widensTo?: string;
  /** The values are numbers, stored as text because they fit no numeric type. As a watermark they are compared as numbers. */
  readonly isNumericText?: true;
  /**
   * The source orders the values in another way than the warehouse orders what it stores. `collation`: text, which the source orders
   * by the rules of a language as well; a watermark is compared in both orders. `other`: they cannot be a watermark.
   */
  readonly sourceOrder?: "collation" | "other";
  /**
   * Which values the source takes for the same one, if it is not those whose stored values are the same. `wider`: also texts that
   * differ, such as `a` and `A`. `narrower`: values that differ may be stored as the same, such as the text `1` and the number 1.
   */
  readonly sourceEquality?: "wider" | "narrower";
  /** The type's name in the source system, for messages: `numeric(12,2)`. */
  readonly origin: string;
}

export const wireType = ({ type, wire }: WarehouseColumn): string => wire ?? type;
