import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseFields, field, httpFields, readConfig, restDatasetProblem, restFields } from "./index.ts";

const read = (config: Record<string, unknown>) => readConfig(databaseFields, config, "connection.config");
const database = { host: "db", database: "shop" };

test("fields are read, and strings of digits are integers", () => {
  const { values, problems } = read({ ...database, port: "5432", options: { ssl: true, timeout: 5 } });
  assert.deepEqual(problems, []);
  assert.deepEqual(values, { ...database, port: 5432, options: { ssl: "true", timeout: "5" } });
});

test("null and the empty string count as absent", () => {
  assert.deepEqual(read({ ...database, user: null, password: "", port: "" }), {
    values: { ...database, options: {} },
    problems: [],
  });
  assert.deepEqual(read({ host: "", database: null }).problems, [
    "connection.config.host: it is required.",
    "connection.config.database: it is required.",
  ]);
});

test("an empty string is not a map or a list", () => {
  assert.deepEqual(read({ ...database, options: "" }).problems, [
    "connection.config.options: it must be a map.",
  ]);
  const { problems } = readConfig({ names: field.textList().optional() }, { names: "" }, "custom");
  assert.deepEqual(problems, ["custom.names: it must be a list of strings."]);
});

test("every problem is reported, and its field has an empty value, its default or none", () => {
  const { values, problems } = read({
    host: 5,
    database: "a\u202eb",
    port: "99999",
    options: { "": 1, a: [] },
  });
  assert.deepEqual(problems, [
    "connection.config.host: it must be a string.",
    "connection.config.port: it must be an integer from 1 to 65535.",
    "connection.config.database: it contains an invisible character.",
    'connection.config.options: "" cannot be the name of an option.',
    'connection.config.options."a": it must be a string, a number, true or false.',
  ]);
  assert.deepEqual(values, { host: "", database: "", options: {} });
});

test("a key that looks misspelled is a problem, any other unknown key is the caller's own", () => {
  const fields = { path: field.text() };
  const config = { path: "/a", pth: 1, note: "mine", pii_column: [] };
  assert.deepEqual(readConfig(fields, config, "target_config").problems, [
    'target_config: the key "pth" is not known. Did you mean "path"?',
    'target_config: the key "pii_column" is not known. Did you mean "pii_columns"?',
  ]);
  assert.deepEqual(readConfig(fields, { path: "/a", pth: 1 }, "target_config", ["pth"]).problems, []);
});

test("a choice is accepted in any case, and a missing one lists the choices", () => {
  const fields = { format: field.oneOf("csv", "json") };
  assert.deepEqual(readConfig(fields, { format: "CSV" }, "c"), { values: { format: "csv" }, problems: [] });
  assert.deepEqual(readConfig(fields, { format: "xml" }, "c").problems, [
    'c.format: "xml" is not one of csv, json.',
  ]);
  assert.deepEqual(readConfig(fields, {}, "c"), {
    values: { format: "csv" },
    problems: ["c.format: it is required: one of csv, json."],
  });
});

test("plain text contains no reference to a secret", () => {
  const { problems } = readConfig({ url: field.plainText() }, { url: "{{secrets/a/b}}" }, "c");
  assert.deepEqual(problems, ['c.url: it must not contain "{{".']);
});

test("a share is a number from 0 to 1", () => {
  const fields = { share: field.share().optional() };
  for (const [value, expected] of [
    [0, 0],
    ["0.5", 0.5],
    [1, 1],
  ]) {
    assert.deepEqual(readConfig(fields, { share: value }, "c").values, { share: expected });
  }
  for (const value of [-0.1, 1.1, "x", true, []]) {
    assert.deepEqual(readConfig(fields, { share: value }, "c").problems, [
      "c.share: it must be a number from 0 to 1.",
    ]);
  }
});

test("headers of an HTTP endpoint: reserved names and invalid values, without the values", () => {
  const headers = { Host: "a", "X-Key": "s3cret\n", "a b": "c", Accept: "json" };
  const { problems } = readConfig(httpFields, { url: "https://a.example", headers }, "target_config");
  assert.deepEqual(problems, [
    'target_config.headers: "Host" is set by the connector itself, "X-Key" has a value that a header cannot have, "a b" cannot be the name of a header.',
  ]);
});

test("the URL of a REST API has no query, and its headers can be sent", () => {
  const problemsOf = (config: object) => readConfig(restFields, { ...config }, "connection.config").problems;
  assert.deepEqual(problemsOf({ url: "https://api.example.com/v1", headers: { Accept: "é" } }), []);
  for (const url of ["ftp://a", "https://a?b=c", "a.example", "https://a b"]) {
    assert.deepEqual(problemsOf({ url }), [
      "connection.config.url: expected a URL such as https://api.example.com/v1.",
    ]);
  }
  assert.deepEqual(problemsOf({ url: "https://a", headers: { "a b": "c", d: "\n" } }), [
    'connection.config.headers: "a b", "d" cannot be sent as a header.',
  ]);
});

for (const [dataset, problem] of [
  ["orders?status=open", undefined],
  ["/v2/orders", undefined],
  ["", /expected a path/],
  ["a b", /expected a path/],
  ["https://other.example/orders", /a URL of its own/],
  ["//other.example/orders", /a URL of its own/],
  ["orders/%2e%2e/users", /leaves the connection's url/],
  ["orders?api_key=1", /must not contain a secret/],
] as const) {
  test(`the REST dataset ${JSON.stringify(dataset)} ${problem ? "is a problem" : "can be read"}`, () => {
    if (problem) assert.match(restDatasetProblem(dataset) ?? "", problem);
    else assert.equal(restDatasetProblem(dataset), undefined);
  });
}
