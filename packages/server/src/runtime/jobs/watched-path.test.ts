import assert from "node:assert/strict";
import { test } from "node:test";
import { watchedPathProblem } from "./watched-path.ts";

const access = { granted: ["/in", "/var"], dataFolder: "/var/lakehelm" };
const problem = (path: string) => watchedPathProblem(path, access);

test("files are watched at absolute paths in granted folders", () => {
  for (const path of ["/in", "/in/*.csv", "/in/{a,b}/*.csv", "/in/**/*.csv", "/var/lakehelm-in"]) {
    assert.equal(problem(path), undefined);
  }
  for (const path of ["in", "./in/*.csv", ""]) assert.match(problem(path) ?? "", /not absolute/);
  assert.match(problem("s3://bucket/in") ?? "", /is in object storage/);
  for (const path of ["/root", "/**", "/*/x", "/inner/*.csv", "/in/../etc/*"]) {
    assert.match(problem(path) ?? "", /cannot be used|contains Lakehelm's data folder/);
  }
});

test("the data folder is never watched, and no folder above it", () => {
  for (const path of ["/var/lakehelm", "/var/lakehelm/x", "/var/x/../lakehelm/*"]) {
    assert.match(problem(path) ?? "", /is in Lakehelm's data folder/);
  }
  for (const path of ["/var/lakehel[m]/*", "/var/**", "/var/*/service-token"]) {
    assert.match(problem(path) ?? "", /contains Lakehelm's data folder/);
  }
});

test("patterns that take exponential time are refused", () => {
  const patterns = ["*a*a*a*a*b", "{1..1000000}", "{a,b}".repeat(20), "*+(a|b)", `${"x".repeat(20_000)}*`];
  for (const pattern of patterns) assert.match(problem(`/in/${pattern}`) ?? "", /cannot be used/);
});
