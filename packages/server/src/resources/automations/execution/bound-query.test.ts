import assert from "node:assert/strict";
import { test } from "node:test";
import type { TemplateValues } from "../templates.ts";
import { boundQuery } from "./bound-query.ts";
import { PermanentError } from "./permanent-error.ts";

const sly = "x'); drop table orders; --";
const values: TemplateValues = {
  parameters: { day: "2026-03-01", table: "orders", sly, limits: { low: 5 } },
  tasks: { count: { value: 42 } },
  run: { id: "r-1", time: "2026-03-01T06:00:00Z" },
  environment: { name: "prod" },
};

test("a placeholder in SQL becomes a parameter with its type", () => {
  const { sql, parameters } = boundQuery(
    "select * from orders where day = {{parameters.day}} and n > {{tasks.count.value}}",
    values,
  );
  assert.match(sql, /^select \* from orders where day = :(\w+) and n > :(\w+)$/);
  assert.deepEqual(new Set(Object.values(parameters)), new Set(["2026-03-01", 42]));
  const [day] = /(?<=day = :)\w+/.exec(sql) ?? [];
  assert.equal(parameters[day ?? ""], "2026-03-01");
});

test("a value from another server never becomes SQL", () => {
  const { sql, parameters } = boundQuery("insert into log values ({{parameters.sly}})", values);
  assert.equal(sql, "insert into log values (:filled_1)");
  assert.deepEqual(parameters, { filled_1: sly });
  for (const query of [
    "select '{{parameters.sly}}'",
    'select "{{parameters.sly}}"',
    "select `{{parameters.sly}}`",
  ]) {
    assert.throws(() => boundQuery(query, values), PermanentError, query);
  }
});

test("placeholders in strings and quoted names are filled; comments stay unchanged", () => {
  const query =
    "select 'of {{parameters.day}}', 'it\\'s' from `{{parameters.table}}` -- {{parameters.none}}\n/* {{x}} */";
  const { sql, parameters } = boundQuery(query, values);
  assert.equal(sql, "select 'of 2026-03-01', 'it\\'s' from `orders` -- {{parameters.none}}\n/* {{x}} */");
  assert.deepEqual(parameters, {});
});

test("each generated parameter is mapped to its placeholder", () => {
  const { sql, generated } = boundQuery("select {{parameters.day}}", values);
  assert.deepEqual([sql, [...generated]], ["select :filled_1", [["filled_1", "{{parameters.day}}"]]]);
});

test("every offset is mapped to the original query", () => {
  const query = "select {{parameters.day}}, '{{parameters.table}}', {{ tasks.count.value }} from x";
  const { sql, originalOffset } = boundQuery(query, values);
  for (const word of ["select", ", '", "', ", "from x"]) {
    assert.equal(originalOffset(sql.indexOf(word)), query.indexOf(word), word);
  }
  assert.equal(originalOffset(sql.indexOf("led_2")), query.indexOf("{{ tasks"));
  assert.equal(originalOffset(sql.length), query.length);
});

test("objects and arrays become JSON text with all digits of their numbers", () => {
  const bound = (limits: unknown) =>
    boundQuery("select {{parameters.limits}}", { ...values, parameters: { limits } }).parameters;
  assert.deepEqual(bound({ low: 5 }), { filled_1: '{"low":5}' });
  assert.deepEqual(bound([12345678901234567890n]), { filled_1: "[12345678901234567890]" });
  assert.deepEqual(bound(12345678901234567890n), { filled_1: 12345678901234567890n });
});
