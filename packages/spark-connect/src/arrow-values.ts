import { type Batch, type DataType, IntervalUnit, TimeUnit, Type, tableFromIPC } from "@uwdata/flechette";

/**
 * Converts the rows of an Arrow stream to JSON values without loss: decimals, times, and numbers that a double cannot
 * hold become strings, in the same form as on the other platforms.
 */
export function* jsonRowsOf(arrow: Uint8Array): Generator<unknown[]> {
  const table = tableFromIPC(arrow, { useBigInt: true, useDecimalInt: true });
  const batches = table.children.map(({ data }) => data);
  for (const [nth, first] of (batches[0] ?? []).entries()) {
    const columns = batches.map((column) => column[nth] as Batch<unknown>);
    for (let row = 0; row < first.length; row += 1) yield columns.map((column) => valueAt(column, row));
  }
}

function valueAt(batch: Batch<unknown>, at: number): unknown {
  const { type, values, children, offsets } = batch;
  if (type.typeId === Type.Null || (batch.nullCount > 0 && !batch.isValid(at))) return null;
  switch (type.typeId) {
    case Type.Int:
      return exactNumber(batch.value(at) as number | bigint);
    case Type.Float: {
      const value = batch.value(at) as number;
      return Number.isFinite(value) ? value : String(value);
    }
    case Type.Decimal:
      return decimalText(batch.value(at) as bigint | number, scaleOf(type));
    case Type.Date:
      return dateText(Number(values[at]));
    case Type.Timestamp:
      return timestampText(BigInt(values[at] as bigint), type);
    case Type.Time:
      return timeOfDay(BigInt(values[at] as bigint | number) * microsIn(type));
    case Type.Duration:
      return durationText(BigInt(values[at] as bigint) * microsIn(type));
    case Type.Interval:
      return intervalText(batch, at);
    case Type.Binary:
    case Type.LargeBinary:
      return Buffer.from(batch.value(at) as Uint8Array).toString("base64");
    case Type.List:
    case Type.LargeList:
      return range(offsets, at).map((item) => valueAt(children[0] as Batch<unknown>, item));
    case Type.Map: {
      const [keys, of] = (children[0] as Batch<unknown>).children as [Batch<unknown>, Batch<unknown>];
      return Object.fromEntries(
        range(offsets, at).map((item) => [keyText(valueAt(keys, item)), valueAt(of, item)]),
      );
    }
    case Type.Struct: {
      const names = fieldNames(type);
      return Object.fromEntries(
        children.map((child, index) => [names[index] ?? String(index), valueAt(child, at)]),
      );
    }
    default:
      return batch.value(at);
  }
}

const exactNumber = (value: number | bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

const keyText = (key: unknown): string => (typeof key === "string" ? key : JSON.stringify(key));

const range = (offsets: Batch<unknown>["offsets"], at: number): number[] => {
  const [from, to] = [Number(offsets[at]), Number(offsets[at + 1])];
  return Array.from({ length: to - from }, (_, index) => from + index);
};

const fieldNames = (type: DataType): string[] =>
  "children" in type ? ((type.children as { name: string }[] | undefined) ?? []).map(({ name }) => name) : [];

const scaleOf = (type: DataType): number => ("scale" in type ? Number(type.scale) : 0);

/** The text of a decimal: `12.50` for 1250 with two places. */
function decimalText(unscaled: bigint | number, scale: number): string {
  const value = BigInt(unscaled);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const sign = value < 0n ? "-" : "";
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const dayMs = 86_400_000;

/** The text of a date, from the days since 1970: `2026-01-31`. Years after 9999 have a sign. */
const dateText = (days: number): string => new Date(days * dayMs).toISOString().split("T")[0] as string;

const microsIn = (type: DataType): bigint => {
  const unit = "unit" in type ? type.unit : TimeUnit.MICROSECOND;
  return unit === TimeUnit.SECOND ? 1_000_000n : unit === TimeUnit.MILLISECOND ? 1_000n : 1n;
};

/** The text of a timestamp. With a time zone it is an instant, in UTC. */
function timestampText(value: bigint, type: DataType): string {
  const micros = value * microsIn(type);
  const day = floorDivided(micros, 86_400_000_000n);
  const time = timeOfDay(micros - day * 86_400_000_000n);
  const isMoment = "timezone" in type && Boolean(type.timezone);
  return `${dateText(Number(day))}T${time}${isMoment ? "Z" : ""}`;
}

const floorDivided = (value: bigint, by: bigint): bigint =>
  value < 0n && value % by !== 0n ? value / by - 1n : value / by;

/** The time of day from microseconds: `09:05:00` or `09:05:00.000001`. */
function timeOfDay(micros: bigint): string {
  const [seconds, rest] = [micros / 1_000_000n, micros % 1_000_000n];
  const parts = [seconds / 3_600n, (seconds / 60n) % 60n, seconds % 60n];
  const text = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return rest === 0n ? text : `${text}.${String(rest).padStart(6, "0").replace(/0+$/, "")}`;
}

/** The text of a duration: `1 02:03:04.5` (days, then hours, minutes and seconds). */
function durationText(micros: bigint): string {
  const value = micros < 0n ? -micros : micros;
  const days = value / 86_400_000_000n;
  return `${micros < 0n ? "-" : ""}${days} ${timeOfDay(value % 86_400_000_000n)}`;
}

/** The text of an interval: `1-2` for a year and two months. */
function intervalText(batch: Batch<unknown>, at: number): unknown {
  const { type, values } = batch;
  if (!("unit" in type) || type.unit !== IntervalUnit.YEAR_MONTH) return String(batch.value(at));
  const months = Number(values[at]);
  const positive = Math.abs(months);
  return `${months < 0 ? "-" : ""}${Math.floor(positive / 12)}-${positive % 12}`;
}
