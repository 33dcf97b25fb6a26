import {
  DuckDBArrayVector,
  DuckDBListVector,
  DuckDBMapVector,
  DuckDBStructVector,
  DuckDBTypeId,
  DuckDBUnionVector,
  DuckDBVariantVector,
  type DuckDBVector,
} from "@duckdb/node-api";

/** About what a number, date or NULL needs in an answer. */
const scalarBytes = 16;
/** DuckDB's string_t: its first four bytes are the length. */
const stringBytes = 16;
const strings: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.BLOB,
  DuckDBTypeId.BIT,
  DuckDBTypeId.BIGNUM,
  DuckDBTypeId.GEOMETRY,
]);
/** Writing a number of n digits takes more than n steps, so large ones count for more. */
const bigNumberFactor = 128;

/** Fields of the library's vectors that its types do not declare. cell-size.engine.ts fails if one is missing. */
interface VectorFields {
  readonly dataView: DataView;
  readonly validity?: { itemValid(index: number): boolean };
  readonly listVector: DuckDBVector;
  readonly structVector: DuckDBVector;
  readonly childData: DuckDBVector;
  readonly keysList: DuckDBVector;
  readonly childrenList: DuckDBVector;
  readonly valuesList: DuckDBVector;
  readonly dataBlob: DuckDBVector;
}

/**
 * The size of a value in bytes, read from DuckDB's memory: a huge value is refused before it becomes a JavaScript value.
 * Counting stops once the size is above `most`.
 */
export function cellBytes(vector: DuckDBVector, row: number, most: number): number {
  const fields = vector as unknown as VectorFields;
  if (fields.validity?.itemValid(row) === false) return scalarBytes;
  const { typeId } = vector.type;
  if (strings.has(typeId)) {
    const bytes = fields.dataView.getUint32(row * stringBytes, true);
    return scalarBytes + bytes * (typeId === DuckDBTypeId.BIGNUM ? bigNumberFactor : 1);
  }
  if (vector instanceof DuckDBListVector)
    return itemBytes(vector.childVector, vector.getEntryOffset(row), vector.getEntryLength(row), most);
  if (vector instanceof DuckDBArrayVector) {
    const { length } = vector.type;
    return itemBytes(fields.childData, row * length, length, most);
  }
  if (vector instanceof DuckDBStructVector) {
    let bytes = scalarBytes;
    for (const [index, name] of vector.type.entryNames.entries()) {
      bytes += name.length + cellBytes(vector.entryVectorAt(index), row, most - bytes);
      if (bytes > most) break;
    }
    return bytes;
  }
  if (vector instanceof DuckDBMapVector) return cellBytes(fields.listVector, row, most);
  if (vector instanceof DuckDBUnionVector) return cellBytes(fields.structVector, row, most);
  if (vector instanceof DuckDBVariantVector) {
    const { keysList, childrenList, valuesList, dataBlob } = fields;
    let bytes = 0;
    for (const part of [keysList, childrenList, valuesList, dataBlob]) {
      bytes += cellBytes(part, row, most - bytes);
      if (bytes > most) break;
    }
    return bytes;
  }
  return typeId === DuckDBTypeId.ENUM ? String(vector.getItem(row)).length : scalarBytes;
}

function itemBytes(items: DuckDBVector, from: number, length: number, most: number): number {
  let bytes = scalarBytes;
  for (let index = from; index < from + length && bytes <= most; index += 1)
    bytes += cellBytes(items, index, most - bytes);
  return bytes;
}
