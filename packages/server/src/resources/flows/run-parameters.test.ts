import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidRequest } from "../../core/errors.ts";
import { deleteShareOf, readFlowParameters, requireFlowParameters } from "./run-parameters.ts";

test("a run of a flow takes its parameters, and a wrong one is named", () => {
  requireFlowParameters({});
  requireFlowParameters({ business_date: "2026-01-31", max_row_count_drift: 0.9 });
  requireFlowParameters({ max_delete_share: 1 });
  assert.deepEqual([deleteShareOf({ max_delete_share: "0.9" }), deleteShareOf({})], [0.9, undefined]);
  requireFlowParameters({ full_refresh: true, discard_history: true });
  requireFlowParameters({ full_refresh: false, business_date: "2026-01-31" });
  for (const [parameters, name] of [
    [{ bussiness_date: "2026-01-31" }, "bussiness_date"],
    [{ business_date: 20260131 }, "business_date"],
    [{ max_row_count_drift: "much" }, "max_row_count_drift"],
    [{ max_row_count_drift: -1 }, "max_row_count_drift"],
    [{ max_row_count_drift: null }, "max_row_count_drift"],
    [{ full_refresh: "yes" }, "full_refresh"],
    [{ full_refresh: true, business_date: "2026-01-31" }, "full_refresh"],
    [{ discard_history: true }, "discard_history"],
    [{ max_delete_share: 1.5 }, "max_delete_share"],
    [{ max_delete_share: "" }, "max_delete_share"],
  ] as const) {
    assert.throws(
      () => requireFlowParameters(parameters),
      (error) => error instanceof InvalidRequest && error.loc.join() === `body,parameters,${name}`,
    );
  }
});

test("the drift is a number or a text, an empty text allows any change, and half is the default", () => {
  const driftOf = (max_row_count_drift?: unknown) =>
    readFlowParameters(max_row_count_drift === undefined ? {} : { max_row_count_drift }).maxDrift;
  assert.deepEqual([driftOf(), driftOf("0.9"), driftOf(1), driftOf("")], [0.5, 0.9, 1, null]);
});
