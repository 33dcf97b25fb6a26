import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomationDefinition } from "@lakehelm/contract";
import { definitionFindings, definitionProblems } from "./definition.ts";

const read = (definition: object) => AutomationDefinition.check(definition, [], []);
const problemsOf = (tasks: readonly object[], more: object = {}) =>
  definitionProblems(read({ tasks, ...more }));
const sql = (name: string, ...depends_on: string[]) => ({ name, kind: "sql", query: "select 1", depends_on });

test("an automation has tasks, and each has a name of its own that a job can have", () => {
  assert.deepEqual(problemsOf([]), ["The automation has no tasks."]);
  assert.deepEqual(problemsOf([sql("a"), sql("b"), sql("a"), sql("a")]), ['Two tasks are named "a".']);
  assert.deepEqual(problemsOf([sql("a b")]), [
    'The task name "a b" is not one to 100 letters, digits, "_" or "-".',
  ]);
});

test("tasks depend on tasks that are there, and never in a circle", () => {
  assert.deepEqual(problemsOf([sql("a", "b"), sql("b", "c"), sql("c")]), []);
  assert.deepEqual(problemsOf([sql("a", "z")]), [
    'Task "a" depends on "z", which is no task of this automation.',
  ]);
  assert.deepEqual(problemsOf([sql("a", "a")]), ['Tasks wait for each other: "a" → "a".']);
  assert.deepEqual(
    problemsOf([sql("x", "a"), sql("a", "c", "free"), sql("b", "a"), sql("c", "b"), sql("free")]),
    ['Tasks wait for each other: "a" → "c" → "b" → "a".'],
  );
});

test("every circle is told, also where two go through one task", () => {
  const told = problemsOf([sql("a", "b", "c"), sql("b", "a"), sql("c", "a"), sql("d", "e"), sql("e", "d")]);
  assert.deepEqual(told, [
    'Tasks wait for each other: "a" → "b" → "a".',
    'Tasks wait for each other: "a" → "c" → "a".',
    'Tasks wait for each other: "d" → "e" → "d".',
  ]);
  const all = Array.from({ length: 60 }, (_, n) => `t${n}`);
  assert.equal(problemsOf(all.map((name) => sql(name, ...all))).length, 20);
});

test("a long chain of tasks is no problem", () => {
  const chain = Array.from({ length: 800 }, (_, n) => sql(`t${n}`, ...(n ? [`t${n - 1}`] : [])));
  assert.deepEqual(problemsOf(chain), []);
});

test("each kind of task says what it needs", () => {
  const bare = (kind: string) => problemsOf([{ name: "t", kind }]);
  assert.deepEqual(bare("sql"), ['Task "t" is of kind sql and needs a query.']);
  assert.deepEqual(bare("http"), ['Task "t" is of kind http and needs an http(s) url.']);
  for (const kind of ["flow", "connector", "pipeline", "agent"]) {
    assert.deepEqual(bare(kind), [`Task "t" is of kind ${kind} and needs a reference: the ${kind}'s name.`]);
  }
});

test("an http task has an address, and a request that can be sent", () => {
  const http = (url: string, parameters: object = {}) =>
    problemsOf([{ name: "t", kind: "http", url, parameters }], { parameters: { host: "x", day: 1 } });
  const sound = { method: "put", headers: { "X-Day": "{{parameters.day}}" }, body: { list: [1] } };
  assert.deepEqual(http("https://{{parameters.host}}/in?day={{parameters.day}}", sound), []);
  assert.deepEqual(http("{{secrets/shop/hook}}"), []);
  assert.equal(http("javascript:alert(1)").length, 1);
  assert.deepEqual(http("https://x", { method: "FETCH", headers: ["a"], payload: 1 }), [
    'Task "t": An http request has method, headers, body, and no "payload".',
    'Task "t": The method is not one of GET, HEAD, POST, PUT, PATCH, DELETE.',
    'Task "t": The headers are not names with their values.',
  ]);
  assert.deepEqual(http("https://x", { method: "get", headers: { "a b": "c", d: "e\r\nf" }, body: "x" }), [
    'Task "t": A GET request has no body.',
    'Task "t": The header "a b" has characters that no header can have.',
    'Task "t": The header "d" has a value that cannot be sent.',
  ]);
  assert.deepEqual(
    http("https://x", { headers: { "X-Day": 5, Host: "y", "transfer-encoding": "chunked" } }),
    [
      'Task "t": The header "X-Day" must be text: put quotes around its value.',
      'Task "t": The header "Host" belongs to the connection and cannot be set.',
      'Task "t": The header "transfer-encoding" belongs to the connection and cannot be set.',
    ],
  );
});

test("an address has no password in it, wherever it stands", () => {
  const url = (address: string) => problemsOf([{ name: "t", kind: "http", url: address }]);
  for (const address of ["https://ada:pw@x/", "https://ada@x/", "https://ada:{{secrets/a/b}}@x/"]) {
    assert.match(url(address).join(), /^Task "t": An address must not carry a user or a password\./, address);
  }
  assert.deepEqual(url("https://x/?mail=ada@example.com"), []);
  const parameters = (hook: string) => problemsOf([sql("a")], { parameters: { hooks: [hook] } });
  assert.deepEqual(parameters("see postgres://ada:pw@db/shop"), [
    "parameters.hooks[0]: The address has a password in it. A secret must be a reference: {{secrets/<scope>/<key>}}.",
  ]);
  assert.deepEqual(parameters("postgres://ada:{{secrets/a/b}}@db/shop"), []);
  assert.deepEqual(parameters("https://x/a:b@c"), []);
});

test("a query has statements, and neither secrets nor names that are placeholders", () => {
  const query = (text: string) =>
    problemsOf([{ name: "t", kind: "sql", query: text }], { parameters: { x: 1 } });
  assert.deepEqual(query(" \n"), ['Task "t" is of kind sql and needs a query.']);
  assert.deepEqual(query("-- later\n; /* select 1 */"), [
    'Task "t": Its query has no statement, only comments.',
  ]);
  assert.deepEqual(query("select {{secrets/a/b}}"), [
    'Task "t": A query takes no secrets. Put {{secrets/a/b}} into the task\'s parameters, and its name here: `:name`.',
  ]);
  const sentence =
    'Task "t": {{parameters.x}} is a value here and cannot be a name, or a part of one; in backquotes it can.';
  for (const text of ["from t_{{parameters.x}}", "from {{parameters.x}}.t", "{{parameters.x}}(1)"]) {
    assert.deepEqual(query(`select ${text}`), [sentence], text);
  }
  for (const text of [
    "from `t_{{parameters.x}}`",
    "a={{parameters.x}}",
    "({{parameters.x}})::int -- {{secrets/a/b}}",
  ]) {
    assert.deepEqual(query(`select ${text}`), [], text);
  }
});

test("a condition takes numbers and booleans as their texts", () => {
  const condition = { left: true, op: "==", right: 5 };
  assert.deepEqual(read({ tasks: [{ ...sql("a"), condition }] }).tasks[0]?.condition, {
    left: "true",
    op: "==",
    right: "5",
  });
});

test("placeholders stand for what a run knows when it comes to the task", () => {
  const using = (text: string) =>
    problemsOf([sql("count"), sql("other"), sql("load", "count"), { ...sql("tell", "load"), query: text }], {
      parameters: { day: null },
    });
  const sound =
    "{{parameters.day.of}} {{ tasks.count.value }} {{tasks.load.output.a.0}} {{run.time}} {{environment.name}}";
  assert.deepEqual(using(sound), []);
  const wrong = (placeholder: string, why: string) =>
    assert.deepEqual(using(`'${placeholder}'`), [`Task "tell" uses ${placeholder}, ${why}.`]);
  wrong("{{parameters.week}}", "which is no parameter of this automation");
  wrong("{{parameters.toString}}", "which is no parameter of this automation");
  wrong("{{tasks.nobody.value}}", "which is no task of this automation");
  wrong("{{tasks.other.value}}", 'but does not depend on "other"');
  wrong("{{tasks.tell.value}}", 'but does not depend on "tell"');
  wrong("{{tasks.load}}", "but a task has value, status, error, rows, output");
  wrong("{{tasks.load.rows.0}}", 'but only "output" has more in it');
  wrong("{{run.name}}", "but a run has an id and a time");
  wrong("{{environment.id}}", "but an environment has a name");
  wrong("{{day}}", "but placeholders begin with parameters, tasks, run or environment");
});

test("each finding has the place that it is about", () => {
  const condition = { left: "1", op: "==", right: "{{x}}" };
  const definition = read({
    tasks: [sql("a"), { ...sql("b", "z"), condition, parameters: { list: [{ day: "{{y}}" }] } }],
    schedule: { cron: "* *" },
  });
  assert.deepEqual(
    definitionFindings(definition).map(({ path }) => path.join(".")),
    ["tasks.1.depends_on.0", "tasks.1.condition.right", "tasks.1.parameters.list.0.day", "schedule.cron"],
  );
});

test("a schedule's cron parses and comes, and its time zone is known", () => {
  const scheduled = (cron: string, timezone: string | null) =>
    problemsOf([sql("a")], { schedule: { cron, timezone } });
  assert.deepEqual(scheduled("*/5 * * * * *", null), []);
  assert.deepEqual(scheduled("61 * * * *", "Mars/Base"), [
    'The schedule\'s cron expression "61 * * * *" does not parse.',
    'Unknown time zone "Mars/Base": expected a name from the IANA list such as "Europe/Berlin", or "UTC".',
  ]);
  assert.deepEqual(scheduled("0 0 30 2 *", "UTC"), [
    'The cron expression "0 0 30 2 *" never fires: its day does not exist.',
  ]);
});

test("a trigger names tables, or a folder", () => {
  const triggered = (trigger: object) => problemsOf([sql("a")], { trigger });
  assert.deepEqual(triggered({ table_update: { table_names: ["orders", "shop.sales.orders"] } }), []);
  assert.deepEqual(triggered({ table_update: { table_names: [] } }), ["The trigger names no table."]);
  assert.match(
    triggered({ table_update: { table_names: ["a.b.c.d"] } }).join(),
    /"a\.b\.c\.d" is not a table/,
  );
  assert.deepEqual(triggered({ file_arrival: { path: " " } }), ["The trigger names no folder."]);
  assert.deepEqual(triggered({ continuous: true }), []);
});

test("a definition that would take too long to print is refused", () => {
  const wide = [{ ...sql("a"), parameters: { list: Array.from({ length: 10_001 }, () => 1) } }];
  assert.deepEqual(problemsOf(wide), ["The definition has more than 10000 values."]);
  let deep: unknown = 1;
  for (let n = 0; n < 40; n++) deep = [deep];
  assert.deepEqual(problemsOf([{ ...sql("a"), parameters: { deep } }]), [
    "The definition is nested deeper than 32 levels.",
  ]);
});
