import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidRequest } from "../../core/errors.ts";
import { requireFlowParameters } from "./run-parameters.ts";

test("a run of a flow takes business_date alone, and a wrong parameter is named", () => {
  requireFlowParameters({});
  requireFlowParameters({ business_date: "2026-01-31" });
  for (const [parameters, name] of [
    [{ bussiness_date: "2026-01-31" }, "bussiness_date"],
    [{ business_date: 20260131 }, "business_date"],
  ] as const) {
    assert.throws(
      () => requireFlowParameters(parameters),
      (error) => error instanceof InvalidRequest && error.loc.join() === `body,parameters,${name}`,
    );
  }
});
