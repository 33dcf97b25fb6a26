import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfiguration } from "./configuration.ts";

const read = (configuration: Record<string, unknown>, allowsHttp = false) =>
  readConfiguration({ id: "env-1", name: "prod", configuration }, { allowsHttp });

const problemsOf = (configuration: Record<string, unknown>, allowsHttp = false): string => {
  const result = read(configuration, allowsHttp);
  return "problems" in result ? result.problems.join(" ") : "";
};

test("a host alone is enough", () => {
  for (const host of ["https://dbc-1.example.test", "https://dbc-1.example.test/"]) {
    assert.deepEqual(read({ host }), {
      configuration: {
        host: "https://dbc-1.example.test",
        warehouseId: null,
        catalog: "main",
        schema: "default",
        rootPath: "/Workspace/Shared/lakehelm/env-1",
        tags: {},
        runAs: null,
        volume: null,
      },
    });
  }
});

test("a host is an https URL without anything else; http leads only to this machine, and only in development", () => {
  for (const host of [
    "http://dbc-1.example.test",
    "https://ada:pw@dbc-1.example.test",
    "https://dbc-1.example.test/sql",
    "https://dbc-1.example.test?o=1",
    "ftp://dbc-1.example.test",
    "dbc-1.example.test",
    "not a host",
    5,
  ]) {
    assert.match(problemsOf({ host }, true), /configuration\.host of the environment "prod" must be/);
  }
  assert.match(problemsOf({}), /configuration\.host .* is missing/);
  assert.equal(problemsOf({ host: "http://127.0.0.1:9100" }, true), "");
  assert.match(problemsOf({ host: "http://127.0.0.1:9100" }, false), /must be an https URL/);
});

test("all mistakes are reported together", () => {
  const problems = problemsOf({
    host: "https://dbc-1.example.test",
    warehouse_id: 7,
    catalog: "a.b",
    root_path: "/Workspace/../x",
    tags: { team: 1 },
    run_as: "a b",
  });
  for (const key of ["warehouse_id", "catalog", "root_path", "tags", "run_as"]) {
    assert.match(problems, new RegExp(`configuration\\.${key} `));
  }
});
