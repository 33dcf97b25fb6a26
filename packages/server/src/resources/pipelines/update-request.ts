import { type RunCause, StartUpdateRequest } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "@lakehelm/engine";

/** The options of an update, stored as the parameters of its run. */
export type Asked = Omit<StartUpdateRequest, "reason">;

const nothing: Asked = {
  full_refresh: false,
  full_refresh_selection: [],
  refresh_selection: [],
  validate_only: false,
};
const known = [...Object.keys(nothing), "reason"];

/** The message for an unknown field: a caller who misspells `validate_only` does not want to write. */
export function unknownAsked(asked: object): string | undefined {
  const unknown = Object.keys(asked).find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  return `An update takes no ${JSON.stringify(unknown)}.${suggestion(unknown, known) || ` It takes ${known.join(", ")}.`}`;
}

/** Only the options that are set: most updates have no parameters. */
export function parametersOf({ reason: _, ...asked }: StartUpdateRequest): RunCause["parameters"] {
  const said = Object.entries(asked).filter(([, value]) => value === true || (value as unknown[]).length > 0);
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** A run can also be requested through its job, with any parameters: invalid ones fail the run. */
export function askedFor({ parameters = {} }: Pick<RunCause, "parameters">): Asked {
  const unknown = unknownAsked(parameters);
  if (unknown !== undefined) throw new DataProblem(unknown);
  const errors: ValidationError[] = [];
  const { reason: _, ...asked } = StartUpdateRequest.check(parameters, [], errors);
  const [first] = errors;
  if (first) throw new DataProblem(`The parameters of this update: ${[...first.loc, first.msg].join(": ")}.`);
  return asked;
}

/** The valid options, for showing an update. */
export function shownAsked(cause: Pick<RunCause, "parameters">): Asked {
  try {
    return askedFor(cause);
  } catch {
    return nothing;
  }
}
