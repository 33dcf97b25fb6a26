import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  columnFromArray,
  dateDay,
  decimal,
  int64,
  list,
  nullType,
  struct,
  TimeUnit,
  tableFromColumns,
  tableToIPC,
  timestamp,
  utf8,
} from "@uwdata/flechette";
import { joinArrowStreams } from "./arrow.ts";
import { jsonRowsOf } from "./arrow-values.ts";

type Columns = Parameters<typeof tableFromColumns>[0];

const stream = (columns: Columns): Uint8Array =>
  tableToIPC(tableFromColumns(columns), { format: "stream" }) as Uint8Array;

suite("values of Arrow as JSON", () => {
  test("numbers, decimals and times lose nothing", () => {
    const arrow = stream({
      big: columnFromArray([9007199254740993n, -1n, null], int64()),
      price: columnFromArray([1250n, -5n, null], decimal(38, 2)),
      day: columnFromArray([new Date("1969-12-31"), new Date("9999-12-31"), null], dateDay()),
      at: columnFromArray([-1, 1.5, null], timestamp(TimeUnit.MICROSECOND, "UTC")),
      local: columnFromArray([0, 86_400_000, null], timestamp(TimeUnit.MICROSECOND)),
      none: columnFromArray([null, null, null], nullType()),
    });
    assert.deepEqual(
      [...jsonRowsOf(arrow)],
      [
        ["9007199254740993", "12.50", "1969-12-31", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00", null],
        [-1, "-0.05", "9999-12-31", "1970-01-01T00:00:00.0015Z", "1970-01-02T00:00:00", null],
        [null, null, null, null, null, null],
      ],
    );
  });

  test("lists and structs", () => {
    const arrow = stream({
      tags: columnFromArray([["a", null], []], list(utf8())),
      size: columnFromArray([{ x: 1n, y: null }, null], struct({ x: int64(), y: utf8() })),
    });
    assert.deepEqual(
      [...jsonRowsOf(arrow)],
      [
        [["a", null], { x: 1, y: null }],
        [[], null],
      ],
    );
  });

  test("streams are joined without decoding them", () => {
    const part = (from: bigint) => stream({ id: columnFromArray([from, from + 1n], int64()) });
    const joined = joinArrowStreams([part(1n), part(3n), part(5n)]);
    assert.deepEqual([...jsonRowsOf(joined)].flat(), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual([...jsonRowsOf(joinArrowStreams([part(1n)]))].flat(), [1, 2]);
  });
});
