import assert from "node:assert/strict";
import { test } from "node:test";
import { startProblem } from "./start-problem.ts";

test("a file of another user is named with what to do, other errors speak for themselves", () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/var/lib/lakehelm/lease'"), {
    code: "EACCES",
    path: "/var/lib/lakehelm/lease",
  });
  assert.match(
    startProblem(denied),
    /^This user \(\d+\) cannot use \/var\/lib\/lakehelm\/lease\. Change the owner of the file or folder, or set PLATFORM_DATA_DIR\.$/,
  );
  assert.equal(startProblem(new Error("The port is taken.")), "The port is taken.");
  const cause = new Error("connect ECONNREFUSED 127.0.0.1:1");
  assert.equal(
    startProblem(new Error("The database is unreachable.", { cause })),
    "The database is unreachable. (connect ECONNREFUSED 127.0.0.1:1) Check DATABASE_URL.",
  );
});
