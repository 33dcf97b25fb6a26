/** A column on its way. Types are written as DuckDB writes them: `DECIMAL(12,2)`, `TIMESTAMP WITH TIME ZONE`, `VARCHAR[]`. */
export interface WarehouseColumn {
  readonly name: string;
  /** What the warehouse keeps. */
  readonly type: string;
  /**
   * What the rows arrive as, where that is another type: the warehouse casts it, and a value that cannot be cast makes
   * its row a reject. JSON of a list becomes the list by the same cast.
   */
  readonly wire?: string;
  /** The type was found by looking at values. Text can be read as another one, where the table has one already. */
  readonly inferred?: true;
  /** What the other side calls the type, for sentences: `numeric(12,2)`. */
  readonly origin: string;
}

export const wireType = ({ type, wire }: WarehouseColumn): string => wire ?? type;
