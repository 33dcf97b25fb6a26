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
    /** The declared length of a text. */
    readonly length: { readonly characters: number; readonly isChar: boolean } | undefined;
  };
  /** The type to which the column of the table is changed. It holds the existing values. */
  readonly widensTo?: string;
  /** The values are numbers, stored as text because they fit no numeric type. As a watermark they are compared as numbers. */
  readonly isNumericText?: true;
  /**
   * Present if the source orders the values differently from the stored values in the warehouse. `collation`: text,
   * which the source orders by the rules of a language as well; a watermark is compared in both orders. `other`: the
   * values cannot be a watermark.
   */
  readonly sourceOrder?: "collation" | "other";
  /**
   * Present if values that are equal in the source may differ in the warehouse, or the other way round. `wider`:
   * different texts may be equal in the source, such as `a` and `A`. `narrower`: values that differ in the source may
   * be stored as the same value, such as the text `1` and the number 1.
   */
  readonly sourceEquality?: "wider" | "narrower";
  /** The type's name in the source system, for messages: `numeric(12,2)`. */
  readonly origin: string;
}

export const wireType = ({ type, wire }: WarehouseColumn): string => wire ?? type;
