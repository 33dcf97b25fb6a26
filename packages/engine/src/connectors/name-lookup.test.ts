import assert from "node:assert/strict";
import { test } from "node:test";
import { DataProblem } from "../protocol/problem.ts";
import { mysqlProblem } from "./mysql/problem.ts";
import { postgresProblem } from "./postgresql/problem.ts";

const settings = { host: "db.example.test", port: 3306, user: "ada", database: "shop" };

for (const code of ["ENOTFOUND", "EAI_AGAIN"]) {
  const error = Object.assign(new Error(`getaddrinfo ${code} db.example.test`), { code });
  test(`a host name that cannot be looked up is retryable: ${code}`, () => {
    const problems = [
      postgresProblem(error, "Cannot connect to db.example.test"),
      mysqlProblem(settings as Parameters<typeof mysqlProblem>[0], error),
    ];
    for (const problem of problems) {
      assert.ok(problem instanceof DataProblem && problem.retryable);
      assert.match(problem.message, /db\.example\.test/);
    }
  });
}
