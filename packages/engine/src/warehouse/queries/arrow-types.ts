import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import * as arrow from "@uwdata/flechette";
import { jsonValue } from "./json-rows.ts";

/** Converts values of a DuckDB type to an Arrow type. */
interface ArrowConversion {
  readonly type: arrow.DataType;
  /** For values that are not NULL. */
  readonly convert: (value: DuckDBValue) => unknown;
  /** Call it when the column is built: it gives the type its final name. */
  readonly name: () => void;
}

const plain = (
  type: arrow.DataType,
  convert: ArrowConversion["convert"] = (value) => value,
): ArrowConversion => ({
  type,
  convert,
  name: () => {},
});

/**
 * The library builds timestamps from doubles with milliseconds. Here they are built as 64-bit integers, as Arrow stores
 * them.
 */
function moment(
  unit: arrow.TimeUnit_,
  zone: string | null,
  convert: ArrowConversion["convert"],
): ArrowConversion {
  const type: arrow.DataType = arrow.int64();
  return { type, convert, name: () => Object.assign(type, arrow.timestamp(unit, zone)) };
}

const { SECOND, MILLISECOND, MICROSECOND, NANOSECOND } = arrow.TimeUnit;

/** Types without parameters. */
const simple: Readonly<Partial<Record<DuckDBTypeId, () => ArrowConversion>>> = {
  [DuckDBTypeId.BOOLEAN]: () => plain(arrow.bool()),
  [DuckDBTypeId.TINYINT]: () => plain(arrow.int8()),
  [DuckDBTypeId.SMALLINT]: () => plain(arrow.int16()),
  [DuckDBTypeId.INTEGER]: () => plain(arrow.int32()),
  [DuckDBTypeId.BIGINT]: () => plain(arrow.int64()),
  [DuckDBTypeId.UTINYINT]: () => plain(arrow.uint8()),
  [DuckDBTypeId.USMALLINT]: () => plain(arrow.uint16()),
  [DuckDBTypeId.UINTEGER]: () => plain(arrow.uint32()),
  [DuckDBTypeId.UBIGINT]: () => plain(arrow.uint64()),
  [DuckDBTypeId.FLOAT]: () => plain(arrow.float32()),
  [DuckDBTypeId.DOUBLE]: () => plain(arrow.float64()),
  [DuckDBTypeId.VARCHAR]: () => plain(arrow.utf8()),
  [DuckDBTypeId.BLOB]: () => plain(arrow.binary(), (value) => requireInstance(value, DuckDBBlobValue).bytes),
  [DuckDBTypeId.DATE]: () =>
    plain(arrow.dateDay(), (value) => requireInstance(value, DuckDBDateValue).days * 86_400_000),
  [DuckDBTypeId.TIME]: () =>
    plain(arrow.timeMicrosecond(), (value) => requireInstance(value, DuckDBTimeValue).micros),
  [DuckDBTypeId.TIMESTAMP]: () =>
    moment(MICROSECOND, null, (value) => requireInstance(value, DuckDBTimestampValue).micros),
  [DuckDBTypeId.TIMESTAMP_TZ]: () =>
    moment(MICROSECOND, "UTC", (value) => requireInstance(value, DuckDBTimestampTZValue).micros),
  [DuckDBTypeId.TIMESTAMP_S]: () =>
    moment(SECOND, null, (value) => requireInstance(value, DuckDBTimestampSecondsValue).seconds),
  [DuckDBTypeId.TIMESTAMP_MS]: () =>
    moment(MILLISECOND, null, (value) => requireInstance(value, DuckDBTimestampMillisecondsValue).millis),
  [DuckDBTypeId.TIMESTAMP_NS]: () =>
    moment(NANOSECOND, null, (value) => requireInstance(value, DuckDBTimestampNanosecondsValue).nanos),
  [DuckDBTypeId.INTERVAL]: () =>
    plain(arrow.interval(arrow.IntervalUnit.MONTH_DAY_NANO), (value) => {
      const { months, days, micros } = requireInstance(value, DuckDBIntervalValue);
      return [months, days, micros * 1000n];
    }),
};

export function arrowConversion(type: DuckDBType): ArrowConversion {
  const known = simple[type.typeId];
  if (known) return known();
  if (type instanceof DuckDBDecimalType)
    return plain(
      arrow.decimal(type.width, type.scale, 128),
      (value) => requireInstance(value, DuckDBDecimalValue).value,
    );
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const items = arrowConversion(type.valueType);
    return {
      type: arrow.list(items.type),
      convert: (value) =>
        (value instanceof DuckDBArrayValue ? value : requireInstance(value, DuckDBListValue)).items.map(
          (item) => nullOr(item, items),
        ),
      name: items.name,
    };
  }
  if (type instanceof DuckDBStructType) return struct(type);
  if (type instanceof DuckDBMapType) return map(type);
  // HUGEINT has up to 39 digits, one more than a 128-bit decimal. UUIDs, enums and others are converted to text.
  return plain(arrow.utf8(), (value) => {
    const json = jsonValue(value);
    return typeof json === "object" ? JSON.stringify(json) : String(value);
  });
}

function struct({ entryNames, entryTypes }: DuckDBStructType): ArrowConversion {
  const fields = entryNames.map((name, index) => ({ name, ...fieldOf(entryTypes[index]) }));
  return {
    type: arrow.struct(fields.map(({ name, conversion }) => arrow.field(name, conversion.type))),
    convert: (value) => {
      const { entries } = requireInstance(value, DuckDBStructValue);
      return Object.fromEntries(
        fields.map(({ name, conversion }) => [name, nullOr(entries[name] ?? null, conversion)]),
      );
    },
    name: () => {
      for (const { conversion } of fields) conversion.name();
    },
  };
}

function map({ keyType, valueType }: DuckDBMapType): ArrowConversion {
  const [keys, values] = [arrowConversion(keyType), arrowConversion(valueType)];
  return {
    type: arrow.map(keys.type, values.type),
    convert: (value) =>
      requireInstance(value, DuckDBMapValue).entries.map((entry) => [
        keys.convert(entry.key),
        nullOr(entry.value, values),
      ]),
    name: () => {
      keys.name();
      values.name();
    },
  };
}

const fieldOf = (type: DuckDBType | undefined): { readonly conversion: ArrowConversion } => {
  if (!type) throw new Error("A field of a struct has no type.");
  return { conversion: arrowConversion(type) };
};

const nullOr = (value: DuckDBValue, { convert }: ArrowConversion): unknown =>
  value === null ? null : convert(value);

/** Checks that a value has the class that its type implies. */
function requireInstance<Value>(value: DuckDBValue, kind: abstract new (...values: never[]) => Value): Value {
  if (value instanceof kind) return value;
  throw new Error(`Expected a ${kind.name} from DuckDB, got ${String(value)}.`);
}
