/**
 * Two implementations decide what a run does with the table of an earlier version: TypeScript here, and the Python of
 * notebooks. They must agree.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { type ConsumptionFlowInput, endpoints, requestParser } from "@lakehelm/contract";
import { decideFlowRun, type FlowShape, flowShape } from "@lakehelm/contract/changes";
import { readFlow, shapeProperty } from "@lakehelm/flows";
import { loadSqlParser } from "@lakehelm/sql";
import { someOf } from "@lakehelm/testing/nightly";
import { production } from "../../testing/contexts.ts";
import { changeCode } from "./change-code.ts";

/** Runs the code of a cell for each case, with a stand-in for Spark. */
const driver = `
import json, re, sys
from types import SimpleNamespace as Bag

request = json.load(sys.stdin)
code = compile(request["code"], "change", "exec")
answers = []
for case in request["cases"]:
    statements = []

    def sql(text):
        statements.append(text)
        last = {request["property"]: case["last"]} if case["last"] else {}
        return Bag(first=lambda: {"properties": last})

    def table(name):
        types = case["there"] if name == "TARGET" else request["made"]
        schema = [Bag(name=one, dataType=Bag(simpleString=lambda kind=kind: kind)) for one, kind in types.items()]
        return Bag(schema=schema, limit=lambda _: Bag(count=lambda: 0 if case["empty"] else 1))

    scope = {"json": json, "print": lambda *_: None, "spark": Bag(sql=sql, table=table), "TARGET": "TARGET"}
    scope |= {name: case[name] for name in ("is_new", "full_refresh", "discard_history", "business_date")}
    try:
        exec(code, scope)
        action = "create" if case["is_new"] else "rebuild" if scope["rebuild"] else "keep"
    except ValueError:
        action = "refuse"
    drop = [one for text in statements if " DROP COLUMNS (" in text for one in re.findall("\`(.*?)\`", text)]
    add = [one.lower() for text in statements for one in re.findall(r" ADD COLUMNS \\(\`?(\\w+)", text)]
    answers.append({"action": action, "reasons": scope["wrong"], "drop": drop, "add": add})
json.dump(answers, sys.stdout)
`;

const python = spawnSync("python3", ["--version"]).status === 0;
const id = { name: "id", type: "bigint", description: "", pk: true };
const column = (name: string, type: string) => ({ name, type, description: "" });
/** Columns other than the key: some have another type or spelling, or are missing. */
const columns = [
  [column("n", "int"), column("at", "timestamp")],
  [column("N", "bigint"), column("at", "timestamp"), column("more", "string")],
  [{ ...column("n", "int"), pk: true }, column("at", "timestamp")],
];
const writes: readonly Partial<ConsumptionFlowInput>[] = [
  { write_strategy: "replace" },
  { write_strategy: "merge" },
  { write_strategy: "merge_and_delete", emit_surrogate_key: true },
  { scd_type: 2 },
  { scd_type: 2, sequence_by: "at" },
];
const parse = requestParser(endpoints.generateConsumption);
const definitions = columns.flatMap((some) =>
  writes.map((write) => {
    const request = {
      ...{
        flow_name: "f",
        type: "consumption",
        source_tables: ["shop.sales.o"],
        target_name: "shop.marts.t",
      },
      ...{ trigger_type: "manual", requested_by: "ada@example.com" },
      matched_sql: `SELECT id, ${some.map(({ name }) => name).join(", ")} FROM shop.sales.o`,
      target_schema: { description: "", columns: [id, ...some] },
      ...write,
    };
    const body = Buffer.from(JSON.stringify(request));
    const parsed = parse({ params: {}, url: "", body, contentType: "application/json" });
    assert.ok("body" in parsed, JSON.stringify(parsed));
    return parsed.body as ConsumptionFlowInput;
  }),
);
const flags = [false, true];
const validity = { valid_from: "timestamp", valid_to: "timestamp", is_current: "boolean" };

/** The columns of the table that a version wrote. */
const tableOf = ({ columns, added }: FlowShape): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(columns).map(([name, type]) => [name.toLowerCase(), type])),
  ...Object.fromEntries(added.map((name) => [name, (validity as Record<string, string>)[name] ?? "string"])),
});

suite("the decision about a table of an earlier version", {
  skip: python ? false : "there is no python3",
}, () => {
  for (const [at, definition] of someOf([...definitions.entries()], 4)) {
    test(`${JSON.stringify(writes[at % writes.length])}, columns ${Math.floor(at / writes.length)}`, async () => {
      const { flow, problems = [] } = readFlow(definition, production, await loadSqlParser());
      assert.ok(flow, problems.join());
      const after = flowShape(definition);
      const cases = definitions.map(flowShape).flatMap((before) =>
        [
          { last: before, there: tableOf(before) },
          { last: undefined, there: tableOf(before) },
          { last: before, there: { id: "bigint" } },
          { last: before, there: { ...tableOf(before), strange: "int" } },
        ].flatMap((one) =>
          flags.flatMap((empty) =>
            flags.flatMap((full_refresh) =>
              flags.map((discard_history) => ({
                ...{ ...one, is_new: false, business_date: "", empty, full_refresh, discard_history },
              })),
            ),
          ),
        ),
      );
      const all = [...cases, ...cases.slice(0, 1).map((one) => ({ ...one, is_new: true }))];
      const answers: unknown = JSON.parse(
        execFileSync("python3", ["-c", driver], {
          maxBuffer: 2 ** 26,
          input: JSON.stringify({
            code: changeCode(flow, after),
            property: shapeProperty,
            made: after.columns,
            cases: all.map((one) => ({ ...one, last: one.last ? JSON.stringify(one.last) : null })),
          }),
        }).toString(),
      );
      const expected = all.map(({ last, there, empty, full_refresh, discard_history, is_new }) => {
        const known: Readonly<Record<string, string>> = there;
        const differing = Object.entries(after.columns).flatMap(([name, type]) => {
          const was = known[name.toLowerCase()] ?? type;
          return was === type ? [] : [`${name} is ${was} instead of ${type}`];
        });
        const facts = { columns: is_new ? null : Object.keys(there), differing, isEmpty: empty };
        const options = { fullRefresh: full_refresh, discardHistory: discard_history };
        const { action, reasons, drop, add } = decideFlowRun(last, after, facts, options);
        return { action, reasons, drop, add: add.map((name) => name.toLowerCase()) };
      });
      assert.deepEqual(answers, expected);
    });
  }
});
