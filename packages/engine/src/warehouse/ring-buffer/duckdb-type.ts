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
  // Named so, it goes into a JSON column without being parsed once more.
  JSON: DuckDBVarCharType.create("JSON"),
  BLOB,
};

/** Apart from wire.ts, which threads load: they have no use for DuckDB. */
export const duckdbType = ({ kind, precision, scale }: WireType): DuckDBType =>
  kind === "DECIMAL" ? DECIMAL(precision, scale) : types[kind];
