import assert from "node:assert/strict";
import { test } from "node:test";
import { watchedPathProblem } from "./watched-path.ts";

test("a watched path must be absolute and outside the data folder", () => {
  const problem = (path: string) => watchedPathProblem(path, "/var/lakehelm");
  for (const path of ["/in", "/in/*.csv", "/var/lakehelm-in", "/var"]) assert.equal(problem(path), undefined);
  for (const path of ["in", "./in/*.csv", "s3://bucket/in", ""])
    assert.match(problem(path) ?? "", /not absolute/);
  for (const path of ["/var/lakehelm", "/var/lakehelm/x", "/var/x/../lakehelm/*"])
    assert.equal(problem(path), "The data folder cannot be watched.");
});
