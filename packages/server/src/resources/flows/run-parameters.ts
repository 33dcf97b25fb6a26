import type { FlowRequest } from "@lakehelm/engine";
import { InvalidRequest } from "../../core/errors.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** As in the notebooks of generated code: half to twice the rows of the last run whose checks passed. */
const defaultDrift = 0.5;

/** A run of a flow takes the date that it is restricted to, and how much the row count may differ from the last run. */
export function requireFlowParameters(parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    const place = ["body", "parameters", name];
    if (name !== "business_date" && name !== "max_row_count_drift") {
      throw new InvalidRequest(
        place,
        "The parameter is not known. Known are business_date and max_row_count_drift.",
        value,
      );
    }
    if (name === "business_date" && typeof value !== "string") {
      throw new InvalidRequest(place, "Input should be a valid string, such as 2026-01-31.", value);
    }
    if (name === "max_row_count_drift" && driftOf(value) === undefined) {
      throw new InvalidRequest(
        place,
        "Input should be a number from 0 on, such as 0.9, or an empty text to allow any change.",
        value,
      );
    }
  }
}

/** The parameters of a run, which were checked when it was queued. */
export const readFlowParameters = ({
  business_date: date,
  max_row_count_drift: drift = defaultDrift,
}: Parameters): Pick<FlowRequest, "businessDate" | "maxDrift"> => ({
  businessDate: typeof date === "string" ? date : null,
  maxDrift: driftOf(drift) ?? null,
});

/** Null allows any change; undefined: the value is wrong. The command line sends texts. */
function driftOf(value: unknown): number | null | undefined {
  if (value === "") return null;
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && number >= 0 && Number.isFinite(number) ? number : undefined;
}
