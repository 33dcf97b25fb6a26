import {
  ANY,
  BIGINT,
  type DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBDateValue,
  type DuckDBDecimalValue,
  type DuckDBListValue,
  DuckDBScalarFunction,
  type DuckDBStructValue,
  type DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  INTEGER,
} from "@duckdb/node-api";
import { murmur3 } from "./murmur3.ts";
import { xxhash64 } from "./xxhash64.ts";

/** Spark's first seed. The hash of a value is the seed of the next value. */
const firstSeed = 42;

const untyped = "DATATYPE_MISMATCH: a NULL without a type cannot be hashed here. Write a cast.";

interface Hash<Result extends number | bigint> {
  ofInteger(value: number, seed: Result): Result;
  ofLong(value: bigint, seed: Result): Result;
  ofBytes(bytes: Buffer, seed: Result): Result;
}

type Hasher<Result> = (value: DuckDBValue, seed: Result) => Result;

/**
 * `hash` and `xxhash64` with Spark's values. They are functions in JavaScript: as macros, a text would be hashed by lambdas over
 * lists of its bytes.
 */
export function registerHashFunctions(connection: DuckDBConnection, prefix: string): void {
  connection.registerScalarFunction(hashFunction(prefix, "hash", INTEGER, murmur3, firstSeed));
  connection.registerScalarFunction(hashFunction(prefix, "xxhash64", BIGINT, xxhash64, BigInt(firstSeed)));
}

/**
 * The most bytes of texts in 2,048 rows. These are hashed in one call, which cannot be interrupted and for which other
 * requests wait: a quarter of a second for `hash`, half a second for `xxhash64`.
 */
const maxBytes = { hash: 64_000_000, xxhash64: 8_000_000 };

const hashFunction = <Result extends number | bigint>(
  prefix: string,
  name: keyof typeof maxBytes,
  returnType: DuckDBType,
  hash: Hash<Result>,
  first: Result,
): DuckDBScalarFunction =>
  DuckDBScalarFunction.create({
    name: prefix + name,
    returnType,
    parameterTypes: [ANY],
    varArgsType: ANY,
    // Otherwise a NULL makes the result NULL.
    specialHandling: true,
    mainFunction(info, input, output) {
      try {
        for (const [row, result] of hashRows(input, limited(name, hash), first).entries())
          output.setItem(row, result);
        output.flush();
      } catch (error) {
        const { message } = error as Error;
        // The library cannot read such a vector.
        info.setError(message.includes("SQLNULL") ? untyped : message);
      }
    },
  });

/** The hash for one call, which fails if its texts are too long. */
function limited<Result extends number | bigint>(
  name: keyof typeof maxBytes,
  hash: Hash<Result>,
): Hash<Result> {
  let bytes = 0;
  return {
    ...hash,
    ofBytes(text, seed) {
      bytes += text.length;
      if (bytes > maxBytes[name])
        throw new Error(
          `LIMIT_EXCEEDED: ${name}() can hash ${maxBytes[name] / 1_000_000} MB in 2,048 rows. Hash shorter texts, or sha2(text, 256) of them.`,
        );
      return hash.ofBytes(text, seed);
    },
  };
}

function hashRows<Result extends number | bigint>(
  input: DuckDBDataChunk,
  hash: Hash<Result>,
  first: Result,
): Result[] {
  const results = new Array<Result>(input.rowCount).fill(first);
  for (let column = 0; column < input.columnCount; column += 1) {
    const vector = input.getColumnVector(column);
    const hasher = hasherOf(vector.type, hash);
    for (const [row, seed] of results.entries()) results[row] = hasher(vector.getItem(row), seed);
  }
  return results;
}

/** A value of this type, hashed with a seed. NULL leaves the seed as it is. */
function hasherOf<Result extends number | bigint>(type: DuckDBType, hash: Hash<Result>): Hasher<Result> {
  const hasher = presentHasher(type, hash);
  return (value, seed) => (value === null ? seed : hasher(value, seed));
}

const doubles = new DataView(new ArrayBuffer(8));

function presentHasher<Result extends number | bigint>(type: DuckDBType, hash: Hash<Result>): Hasher<Result> {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
      return (value, seed) => hash.ofInteger(Number(value), seed);
    case DuckDBTypeId.DATE:
      return (value, seed) => hash.ofInteger((value as DuckDBDateValue).days, seed);
    case DuckDBTypeId.BIGINT:
      return (value, seed) => hash.ofLong(value as bigint, seed);
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return (value, seed) => hash.ofLong((value as DuckDBTimestampValue).micros, seed);
    case DuckDBTypeId.FLOAT:
      return (value, seed) => {
        // Java's bits: zero has no sign, and there is one NaN.
        doubles.setFloat32(0, Number.isNaN(value) ? Number.NaN : Number(value) + 0);
        return hash.ofInteger(doubles.getInt32(0), seed);
      };
    case DuckDBTypeId.DOUBLE:
      return (value, seed) => {
        doubles.setFloat64(0, Number.isNaN(value) ? Number.NaN : Number(value) + 0);
        return hash.ofLong(doubles.getBigInt64(0), seed);
      };
    case DuckDBTypeId.DECIMAL:
      return type.width <= 18
        ? (value, seed) => hash.ofLong((value as DuckDBDecimalValue).value, seed)
        : (value, seed) => hash.ofBytes(shortestBytes((value as DuckDBDecimalValue).value), seed);
    case DuckDBTypeId.VARCHAR:
      if (type.alias !== undefined) break;
      return (value, seed) => hash.ofBytes(Buffer.from(String(value)), seed);
    case DuckDBTypeId.BLOB:
      return (value, seed) => hash.ofBytes(Buffer.from((value as DuckDBBlobValue).bytes), seed);
    case DuckDBTypeId.LIST: {
      const item = hasherOf(type.valueType, hash);
      return (value, seed) =>
        (value as DuckDBListValue).items.reduce<Result>((so, one) => item(one, so), seed);
    }
    case DuckDBTypeId.STRUCT: {
      const fields = type.entryNames.map((name, at) => {
        const field = hasherOf(type.entryTypes[at] as DuckDBType, hash);
        return (value: DuckDBStructValue, seed: Result) => field(value.entries[name] ?? null, seed);
      });
      return (value, seed) => fields.reduce((so, field) => field(value as DuckDBStructValue, so), seed);
    }
    default:
  }
  throw new Error(`DATATYPE_MISMATCH: a value of the type ${type} cannot be hashed here. Write a cast.`);
}

/** The fewest bytes that hold the number with its sign, the highest byte first, as in Java. */
function shortestBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(value >> 64n);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value), 8);
  let from = 0;
  const sign = value < 0n ? 0xff : 0;
  while (from < 15 && bytes[from] === sign && ((bytes[from + 1] ?? 0) & 0x80) === (sign & 0x80)) from += 1;
  return bytes.subarray(from);
}
