import assert from "node:assert/strict";
import { test } from "node:test";
import { type PostgresDiagnostics, refusalOf, valuelessMessage } from "./refusal.ts";

const canary = 'ada@example.test: "4711") is out of range for type integer';

function diagnostics(fields: Partial<PostgresDiagnostics>): PostgresDiagnostics {
  return {
    code: undefined,
    message: `something about ${canary}`,
    detail: `Key (email)=(${canary}) already exists.`,
    column: undefined,
    constraint: undefined,
    dataType: undefined,
    schema: undefined,
    table: undefined,
    routine: undefined,
    ...fields,
  };
}

for (const [fields, expected] of [
  [
    { code: "23505", constraint: "orders_email_key", schema: "public", table: "orders" },
    'it violates the unique constraint "orders_email_key" of public.orders (SQLSTATE 23505)',
  ],
  [
    { code: "23502", column: "name", schema: "public", table: "orders" },
    'the column "name" of public.orders must not be NULL (SQLSTATE 23502)',
  ],
  [
    { code: "22P02", message: `invalid input syntax for type integer: "${canary}"` },
    "a text is not valid, for the type integer (SQLSTATE 22P02)",
  ],
  [
    { code: "22001", message: "value too long for type character varying(12)" },
    "a text is too long, for the type character varying(12) (SQLSTATE 22001)",
  ],
  [
    { code: "22P02", message: `invalid input value for enum mood: "${canary}"` },
    "a text is not valid (SQLSTATE 22P02)",
  ],
  [
    { code: "23514", constraint: "positive", dataType: "amount" },
    'it violates the check "positive", for the type amount (SQLSTATE 23514)',
  ],
  [{ code: "22A99" }, "a value is not valid (SQLSTATE 22A99)"],
  ...["P0001", "XX000", "45000", "38001", undefined].map(
    (code) =>
      [
        { code },
        `a trigger or a function of the database reports an error, whose text may quote rows (SQLSTATE ${code ?? ""})`,
      ] as const,
  ),
  [
    { code: "42501", routine: "exec_stmt_raise" },
    "a trigger or a function of the database reports an error, whose text may quote rows (SQLSTATE 42501)",
  ],
  [
    { code: "42501", message: "permission denied for table orders", routine: "aclcheck_error" },
    "permission denied for table orders",
  ],
] as const)
  test(`an error ${fields.code} shows names and no values: ${expected}`, () => {
    const error = diagnostics(fields);
    assert.equal(valuelessMessage(error), expected);
    assert.equal(refusalOf(error).cause, expected);
    assert.equal(refusalOf(error).reason, `${error.message} (${error.detail})`);
  });
