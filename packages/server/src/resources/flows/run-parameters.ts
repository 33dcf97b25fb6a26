import { InvalidRequest } from "../../core/errors.ts";

/** A run of a flow has one parameter, the date that it is restricted to. */
export function requireFlowParameters(parameters: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(parameters)) {
    const place = ["body", "parameters", name];
    if (name !== "business_date") {
      throw new InvalidRequest(place, "The parameter is not known. Known is business_date.", value);
    }
    if (typeof value !== "string") {
      throw new InvalidRequest(place, "Input should be a valid string, such as 2026-01-31.", value);
    }
  }
}
