import type { FlowRequest } from "@lakehelm/engine";
import { InvalidRequest } from "../../core/errors.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** As in the notebooks of generated code: half to twice the rows of the last run whose checks passed. */
const defaultDrift = 0.5;

const switches = ["full_refresh", "discard_history"];
const known = ["business_date", "max_row_count_drift", "max_delete_share", ...switches];

/**
 * The parameters of a flow's run: the date that it is restricted to, how much the row count may differ from the last
 * run, the share of rows that it may delete, and whether it builds its table again.
 */
export function requireFlowParameters(parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    const place = ["body", "parameters", name];
    if (!known.includes(name)) {
      throw new InvalidRequest(place, `The parameter is not known. Known are ${known.join(", ")}.`, value);
    }
    if (switches.includes(name) && typeof value !== "boolean") {
      throw new InvalidRequest(place, "Input should be true or false.", value);
    }
    if (name === "business_date" && typeof value !== "string") {
      throw new InvalidRequest(place, "Input should be a valid string, such as 2026-01-31.", value);
    }
    if (name === "max_delete_share" && shareOf(value) === undefined)
      throw new InvalidRequest(place, "Input should be a number from 0 to 1.", value);
    if (name === "max_row_count_drift" && driftOf(value) === undefined) {
      throw new InvalidRequest(
        place,
        "Input should be a number from 0 on, such as 0.9, or an empty text to allow any change.",
        value,
      );
    }
  }
  const { business_date, full_refresh, discard_history } = parameters;
  if (full_refresh === true && business_date !== undefined)
    throw new InvalidRequest(
      ["body", "parameters", "full_refresh"],
      "full_refresh and business_date exclude each other: the table is built again for all dates.",
      full_refresh,
    );
  if (discard_history === true && full_refresh !== true)
    throw new InvalidRequest(
      ["body", "parameters", "discard_history"],
      "It is a consent to full_refresh, which is not set.",
      discard_history,
    );
}

/** The parameters of a run, which were checked when it was queued. */
export const readFlowParameters = ({
  business_date: date,
  max_row_count_drift: drift = defaultDrift,
  full_refresh,
  discard_history,
}: Parameters): Pick<FlowRequest, "businessDate" | "maxDrift" | "fullRefresh" | "discardHistory"> => ({
  businessDate: typeof date === "string" ? date : null,
  maxDrift: driftOf(drift) ?? null,
  fullRefresh: full_refresh === true,
  discardHistory: discard_history === true,
});

/** The share of the table's rows that a run may delete or close; undefined: the share that the flow declares. */
export const deleteShareOf = ({ max_delete_share: share }: Parameters): number | undefined => shareOf(share);

function shareOf(value: unknown): number | undefined {
  const share = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof share === "number" && share >= 0 && share <= 1 ? share : undefined;
}

/** Null allows any change; undefined: the value is wrong. The command line sends texts. */
function driftOf(value: unknown): number | null | undefined {
  if (value === "") return null;
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && number >= 0 && Number.isFinite(number) ? number : undefined;
}
