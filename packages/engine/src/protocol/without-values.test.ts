import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutValues } from "./without-values.ts";

const value = 'ada\'s "own" word';

for (const [message, expected] of [
  [
    `Could not convert string '${value}' to INT32 when casting from source column qty`,
    "Could not convert a value to INT32 when casting from source column qty",
  ],
  ["Overflow in multiplication of INT64 (4711 * 4711)!", "Overflow in multiplication of INT64!"],
  [
    `Type INT64 with value 4711 can't be cast because the value is out of range for the destination type INT8`,
    "A value of the type INT64 can't be cast because the value is out of range for the destination type INT8",
  ],
  [
    `invalid date field format: "${value}", expected format is (YYYY-MM-DD)`,
    "invalid date field format, expected format is (YYYY-MM-DD)",
  ],
  [
    `Duplicate key "id: ${value}" violates primary key constraint.`,
    "A duplicate key violates primary key constraint.",
  ],
  [
    `Malformed JSON at byte 0 of input: unexpected character.  Input: "${value}"`,
    "Malformed JSON at byte 0 of input: unexpected character.",
  ],
  [
    `duplicate key value violates unique constraint "orders_pkey" (Key (id)=(${value}) already exists.)`,
    'duplicate key value violates unique constraint "orders_pkey" (Key (id) already exists.)',
  ],
  [
    `null value in column "day" of relation "rev" violates not-null constraint (Failing row contains (1, ${value}, null).)`,
    'null value in column "day" of relation "rev" violates not-null constraint',
  ],
  ['invalid input syntax for type integer: "4711 a"', "invalid input syntax for type integer"],
  [`Duplicate entry '${value}' for key 'PRIMARY'`, "A duplicate entry for key 'PRIMARY'"],
  [
    `Incorrect integer value: '${value}' for column 'qty' at row 1`,
    "Incorrect integer value for column 'qty' at row 1",
  ],
  [`the column "qty": ${value} is not a BIGINT (3)`, 'the column "qty": a value is not a BIGINT (3)'],
  [
    'The column "qty" of shop.sales.orders does not exist.',
    'The column "qty" of shop.sales.orders does not exist.',
  ],
] as const)
  test(`a message shows no value: ${expected}`, () => {
    assert.equal(withoutValues(message), expected);
    assert.equal(withoutValues(expected), expected);
  });
