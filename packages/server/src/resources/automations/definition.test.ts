import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomationDefinition } from "@lakehelm/contract";
import { definitionFindings, definitionProblems } from "./definition.ts";

const read = (definition: object) => AutomationDefinition.check(definition, [], []);
const problemsOf = (tasks: readonly object[], more: object = {}) =>
  definitionProblems(read({ tasks, ...more }));
const sql = (name: string, ...depends_on: string[]) => ({ name, kind: "sql", query: "select 1", depends_on });

test("an automation has at least one task, with unique and valid names", () => {
  assert.deepEqual(problemsOf([]), ["The automation has no tasks."]);
  assert.deepEqual(problemsOf([sql("a"), sql("b"), sql("a"), sql("a")]), ['Two tasks are named "a".']);
  assert.deepEqual(problemsOf([sql("a b")]), [
    'The task name "a b" must have 1 to 100 letters, digits, "_" or "-".',
  ]);
});

test("tasks depend only on existing tasks and not in a cycle", () => {
  assert.deepEqual(problemsOf([sql("a", "b"), sql("b", "c"), sql("c")]), []);
  assert.deepEqual(problemsOf([sql("a", "z")]), [
    'Task "a" depends on "z", which is not a task of this automation.',
  ]);
  assert.deepEqual(problemsOf([sql("a", "a")]), ['Tasks wait for each other: "a" → "a".']);
  assert.deepEqual(
    problemsOf([sql("x", "a"), sql("a", "c", "free"), sql("b", "a"), sql("c", "b"), sql("free")]),
    ['Tasks wait for each other: "a" → "c" → "b" → "a".'],
  );
});

test("every cycle is reported, even if two share a task", () => {
  const problems = problemsOf([
    sql("a", "b", "c"),
    sql("b", "a"),
    sql("c", "a"),
    sql("d", "e"),
    sql("e", "d"),
  ]);
  assert.deepEqual(problems, [
    'Tasks wait for each other: "a" → "b" → "a".',
    'Tasks wait for each other: "a" → "c" → "a".',
    'Tasks wait for each other: "d" → "e" → "d".',
  ]);
  const all = Array.from({ length: 60 }, (_, n) => `t${n}`);
  assert.equal(problemsOf(all.map((name) => sql(name, ...all))).length, 20);
});

test("a long chain of tasks is valid", () => {
  const chain = Array.from({ length: 800 }, (_, n) => sql(`t${n}`, ...(n ? [`t${n - 1}`] : [])));
  assert.deepEqual(problemsOf(chain), []);
});

test("each task kind reports its missing fields", () => {
  const bare = (kind: string) => problemsOf([{ name: "t", kind }]);
  assert.deepEqual(bare("sql"), ['Task "t" is of kind sql and needs a query.']);
  assert.deepEqual(bare("http"), ['Task "t" is of kind http and needs an http(s) url.']);
  for (const kind of ["flow", "connector", "pipeline", "agent"]) {
    assert.deepEqual(bare(kind), [`Task "t" is of kind ${kind} and needs a reference: the ${kind}'s name.`]);
  }
});

test("an http task needs a URL and a valid request", () => {
  const http = (url: string, parameters: object = {}) =>
    problemsOf([{ name: "t", kind: "http", url, parameters }], { parameters: { host: "x", day: 1 } });
  const valid = { method: "put", headers: { "X-Day": "{{parameters.day}}" }, body: { list: [1] } };
  assert.deepEqual(http("https://{{parameters.host}}/in?day={{parameters.day}}", valid), []);
  assert.deepEqual(http("{{secrets/shop/hook}}"), []);
  assert.equal(http("javascript:alert(1)").length, 1);
  assert.deepEqual(http("https://x", { method: "FETCH", headers: ["a"], payload: 1 }), [
    'Task "t": Unknown parameter "payload". An http request has method, headers, body.',
    'Task "t": The method must be one of GET, HEAD, POST, PUT, PATCH, DELETE.',
    'Task "t": The headers must be a map of names and values.',
  ]);
  assert.deepEqual(http("https://x", { method: "get", headers: { "a b": "c", d: "e\r\nf" }, body: "x" }), [
    'Task "t": A GET request cannot have a body.',
    'Task "t": The header "a b" has characters that no header can have.',
    'Task "t": The header "d" has a value that cannot be sent.',
  ]);
  assert.deepEqual(
    http("https://x", { headers: { "X-Day": 5, Host: "y", "transfer-encoding": "chunked" } }),
    [
      'Task "t": The header "X-Day" must be a string: put quotes around its value.',
      'Task "t": The header "Host" is set by the HTTP client and cannot be overridden.',
      'Task "t": The header "transfer-encoding" is set by the HTTP client and cannot be overridden.',
    ],
  );
});

test("a URL with a secret is reported anywhere in the definition", () => {
  const url = (address: string) => problemsOf([{ name: "t", kind: "http", url: address }]);
  for (const address of ["https://ada:pw@x/", "https://ada@x/", "https://ada:{{secrets/a/b}}@x/"]) {
    assert.match(
      url(address).join(),
      /^Task "t": The URL must not contain a user, a password or another secret\./,
      address,
    );
  }
  assert.deepEqual(url("https://x/?mail=ada@example.com"), []);
  const parameters = (hook: string) => problemsOf([sql("a")], { parameters: { hooks: [hook] } });
  assert.deepEqual(parameters("see postgres://ada:pw@db/shop"), [
    "parameters.hooks[0]: The URL contains a secret. A secret must be a reference: {{secrets/<scope>/<key>}}.",
  ]);
  assert.match(
    parameters("postgres://ada:{{secrets/a/b}}@db/shop").join(),
    /^parameters\.hooks\[0\]: A reference to a secret is accepted only/,
  );
  assert.deepEqual(parameters("https://x/a:b@c"), []);
  assert.match(url("https://x/?token=abc").join(), /another secret/);
  assert.match(parameters("https://x/?page=2&api_key=abc").join(), /contains a secret/);
  assert.deepEqual(parameters("https://x/?customer=abc&page=2"), []);
});

test("a reference to a secret is accepted in credential fields alone", () => {
  const reference = "{{secrets/a/b}}";
  const misplaced = (task: object, more: object = {}) =>
    problemsOf([{ name: "t", ...task }], more).map((message) => message.split(":", 1)[0]);
  const http = { kind: "http", url: "https://x" };
  for (const task of [
    { ...http, url: reference },
    { ...http, parameters: { headers: { Authorization: `Bearer ${reference}`, Cookie: reference } } },
    { ...http, parameters: { body: { auth: [{ client_secret: reference }] } } },
  ]) {
    assert.deepEqual(misplaced(task, { parameters: { api_key: reference, deep: { token: reference } } }), []);
  }
  for (const [task, where] of [
    [{ kind: "sql", query: "select :p", parameters: { p: reference } }, "tasks[0].parameters.p"],
    [{ kind: "sql", query: "select :t", parameters: { token: reference } }, "tasks[0].parameters.token"],
    [{ kind: "agent", reference: "a", parameters: { token: reference } }, "tasks[0].parameters.token"],
    [{ kind: "pipeline", reference, parameters: {} }, "tasks[0].reference"],
    [{ ...http, url: `https://x/?q=${reference}` }, "tasks[0].url"],
    [{ ...http, url: `${reference}/x` }, "tasks[0].url"],
    [{ ...http, parameters: { headers: { Accept: reference } } }, "tasks[0].parameters.headers.Accept"],
    [{ ...http, parameters: { body: reference } }, "tasks[0].parameters.body"],
    [{ ...http, parameters: { body: { text: reference } } }, "tasks[0].parameters.body.text"],
    [{ ...http, parameters: { body: { [reference]: 1 } } }, "tasks[0].parameters.body"],
    [{ ...http, condition: { left: reference, op: "==", right: "x" } }, "tasks[0].condition.left"],
  ] as const) {
    assert.deepEqual(misplaced(task), [where], JSON.stringify(task));
  }
  assert.deepEqual(misplaced(http, { parameters: { note: reference } }), ["parameters.note"]);
});

test("a query needs statements, and rejects secrets and placeholders as names", () => {
  const query = (text: string) =>
    problemsOf([{ name: "t", kind: "sql", query: text }], { parameters: { x: 1 } });
  assert.deepEqual(query(" \n"), ['Task "t" is of kind sql and needs a query.']);
  assert.deepEqual(query("-- later\n; /* select 1 */"), [
    'Task "t": Its query has no statement, only comments.',
  ]);
  assert.deepEqual(query("select {{secrets/a/b}}"), [
    'Task "t": A query must not contain secrets, because its results are data. Remove {{secrets/a/b}}.',
  ]);
  const sentence =
    'Task "t": {{parameters.x}} is a value here and cannot be a name or a part of one. Put the name in backquotes.';
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

test("a condition accepts numbers and booleans as text", () => {
  const condition = { left: true, op: "==", right: 5 };
  assert.deepEqual(read({ tasks: [{ ...sql("a"), condition }] }).tasks[0]?.condition, {
    left: "true",
    op: "==",
    right: "5",
  });
});

test("a placeholder must refer to a value that is known before its task runs", () => {
  const using = (text: string) =>
    problemsOf([sql("count"), sql("other"), sql("load", "count"), { ...sql("tell", "load"), query: text }], {
      parameters: { day: null },
    });
  const valid =
    "{{parameters.day.of}} {{ tasks.count.value }} {{tasks.load.output.a.0}} {{run.time}} {{environment.name}}";
  assert.deepEqual(using(valid), []);
  const wrong = (placeholder: string, why: string) =>
    assert.deepEqual(using(`'${placeholder}'`), [`Task "tell" uses ${placeholder}, ${why}.`]);
  wrong("{{parameters.week}}", "which is not a parameter of this automation");
  wrong("{{parameters.toString}}", "which is not a parameter of this automation");
  wrong("{{tasks.nobody.value}}", "which is not a task of this automation");
  wrong("{{tasks.other.value}}", 'but does not depend on "other"');
  wrong("{{tasks.tell.value}}", 'but does not depend on "tell"');
  wrong("{{tasks.load}}", "but a task has only value, status, error, rows, output");
  wrong("{{tasks.load.rows.0}}", 'but only "output" has nested fields');
  wrong("{{run.name}}", "but a run has only id and time");
  wrong("{{environment.id}}", "but an environment has only name");
  wrong("{{day}}", "but placeholders begin with parameters, tasks, run or environment");
});

test("each finding has the path of its subject", () => {
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

test("a schedule needs a valid cron expression that fires, and a known time zone", () => {
  const scheduled = (cron: string, timezone: string | null) =>
    problemsOf([sql("a")], { schedule: { cron, timezone } });
  assert.deepEqual(scheduled("*/5 * * * * *", null), []);
  assert.deepEqual(scheduled("61 * * * *", "Mars/Base"), [
    'The cron expression "61 * * * *" is not valid: "61" in the minute field is not in range: expected 0 to 59, *, a range or a list of these, with an optional /step.',
    'Unknown time zone "Mars/Base": expected a name from the IANA list such as "Europe/Berlin", or "UTC".',
  ]);
  assert.deepEqual(scheduled("0 0 30 2 *", "UTC"), [
    'The cron expression "0 0 30 2 *" never fires: its day does not exist.',
  ]);
});

test("a trigger needs tables or a folder", () => {
  const triggered = (trigger: object) => problemsOf([sql("a")], { trigger });
  assert.deepEqual(triggered({ table_update: { table_names: ["orders", "shop.sales.orders"] } }), []);
  assert.deepEqual(triggered({ table_update: { table_names: [] } }), [
    "The trigger needs at least one table.",
  ]);
  assert.match(
    triggered({ table_update: { table_names: ["a.b.c.d"] } }).join(),
    /"a\.b\.c\.d" is not a table/,
  );
  assert.deepEqual(triggered({ file_arrival: { path: " " } }), ["The trigger needs a folder."]);
  assert.deepEqual(triggered({ continuous: true }), []);
});

test("a definition that is too large or too deep is rejected", () => {
  const wide = [{ ...sql("a"), parameters: { list: Array.from({ length: 10_001 }, () => 1) } }];
  assert.deepEqual(problemsOf(wide), ["The definition has more than 10000 values."]);
  let deep: unknown = 1;
  for (let n = 0; n < 40; n++) deep = [deep];
  assert.deepEqual(problemsOf([{ ...sql("a"), parameters: { deep } }]), [
    "The definition is nested deeper than 32 levels.",
  ]);
});
