import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  type DuckDBType,
  DuckDBVarCharType,
  FLOAT,
  HUGEINT,
  INTEGER,
  INTERVAL,
  SMALLINT,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  UUID,
  VARCHAR,
} from "@duckdb/node-api";
import type { WireKind, WireType } from "./wire-type.ts";

const types: Readonly<Record<Exclude<WireKind, "DECIMAL">, DuckDBType>> = {
  BOOLEAN,
  SMALLINT,
  INTEGER,
  BIGINT,
  HUGEINT,
  FLOAT,
  DOUBLE,
  DATE,
  TIME,
  TIMESTAMP,
  "TIMESTAMP WITH TIME ZONE": TIMESTAMPTZ,
  INTERVAL,
  UUID,
  VARCHAR,
  // With this alias, DuckDB does not parse the text again when it inserts it into a JSON column.
  JSON: DuckDBVarCharType.create("JSON"),
  BLOB,
};

/** Separate from wire-type.ts, which threads load: they do not need DuckDB. */
export const duckdbType = ({ kind, precision, scale }: WireType): DuckDBType =>
  kind === "DECIMAL" ? DECIMAL(precision, scale) : types[kind];
