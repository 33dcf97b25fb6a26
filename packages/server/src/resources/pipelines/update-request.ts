import { type RunCause, StartUpdateRequest } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "@lakehelm/engine";

/** The options of an update, stored as the parameters of its run. */
export type UpdateOptions = Omit<StartUpdateRequest, "reason">;

const defaults: UpdateOptions = {
  full_refresh: false,
  full_refresh_selection: [],
  refresh_selection: [],
  validate_only: false,
};
const optionNames = [...Object.keys(defaults), "reason"];

/** The message for an unknown field: a caller who misspells `validate_only` does not want to write. */
export function unknownOptionProblem(options: object): string | undefined {
  const unknown = Object.keys(options).find((key) => !optionNames.includes(key));
  if (unknown === undefined) return undefined;
  return `An update has no option ${JSON.stringify(unknown)}.${suggestion(unknown, optionNames) || ` Available options: ${optionNames.join(", ")}.`}`;
}

/** Only the options that are set: most updates have no parameters. */
export function parametersOf({ reason: _, ...options }: StartUpdateRequest): RunCause["parameters"] {
  const set = Object.entries(options).filter(
    ([, value]) => value === true || (value as unknown[]).length > 0,
  );
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}

/** A run can also be requested through its job, with any parameters: invalid ones fail the run. */
export function updateOptions({ parameters = {} }: Pick<RunCause, "parameters">): UpdateOptions {
  const unknown = unknownOptionProblem(parameters);
  if (unknown !== undefined) throw new DataProblem(unknown);
  const errors: ValidationError[] = [];
  const { reason: _, ...options } = StartUpdateRequest.check(parameters, [], errors);
  const [first] = errors;
  if (first) throw new DataProblem(`The parameters of this update: ${[...first.loc, first.msg].join(": ")}.`);
  return options;
}

/** The valid options, for showing an update. */
export function validOptions(cause: Pick<RunCause, "parameters">): UpdateOptions {
  try {
    return updateOptions(cause);
  } catch {
    return defaults;
  }
}
