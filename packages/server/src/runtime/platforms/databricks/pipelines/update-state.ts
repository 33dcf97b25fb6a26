import type { RunCause } from "@lakehelm/contract";

/** The options of an update, as a workspace takes and shows them. */
export interface UpdateOptions {
  readonly full_refresh?: boolean;
  readonly full_refresh_selection?: readonly string[];
  readonly refresh_selection?: readonly string[];
  readonly validate_only?: boolean;
}

/** An update as a workspace shows it: the fields that we read. */
export interface WorkspaceUpdate extends UpdateOptions {
  readonly update_id?: string;
  readonly pipeline_id?: string;
  readonly state?: string;
  readonly cause?: string;
  readonly creation_time?: string | number;
}

const active = new Set([
  "QUEUED",
  "CREATED",
  "WAITING_FOR_RESOURCES",
  "INITIALIZING",
  "RESETTING",
  "SETTING_UP_TABLES",
  "RUNNING",
  "STOPPING",
]);

/** The service may add states: an unknown one counts as an end only if it ends with ED. */
export const hasEnded = ({ state = "" }: Pick<WorkspaceUpdate, "state">): boolean =>
  state === "COMPLETED" ||
  state === "FAILED" ||
  state === "CANCELED" ||
  (!active.has(state) && /ED$/.test(state));

/** Milliseconds; a list has a text, a single update a number. */
export function createdMs({ creation_time = 0 }: Pick<WorkspaceUpdate, "creation_time">): number {
  const ms = typeof creation_time === "number" ? creation_time : Date.parse(creation_time);
  return Number.isFinite(ms) ? ms : 0;
}

/** The options of a run, only those that are set: they come from a checked request, or from `parametersOf`. */
export function optionsOf({ parameters = {} }: Pick<RunCause, "parameters">): UpdateOptions {
  const { full_refresh, full_refresh_selection, refresh_selection, validate_only } = parameters;
  const names = (value: unknown) =>
    Array.isArray(value) && value.length > 0 ? value.map(String) : undefined;
  const [full, some] = [names(full_refresh_selection), names(refresh_selection)];
  return {
    ...(full_refresh === true && { full_refresh }),
    ...(full && { full_refresh_selection: full }),
    ...(some && { refresh_selection: some }),
    ...(validate_only === true && { validate_only }),
  };
}

/** The same options of an update in the workspace; undefined: none is set. */
function parametersOf(update: WorkspaceUpdate): RunCause["parameters"] {
  const set = optionsOf({ parameters: { ...update } });
  return Object.keys(set).length > 0 ? { ...set } : undefined;
}

export const isSameRequest = (update: WorkspaceUpdate, options: UpdateOptions): boolean =>
  JSON.stringify(optionsOf({ parameters: { ...update } })) === JSON.stringify(options);

/** Whether a request started the update: perhaps one of ours, whose answer has not arrived yet. */
export const wasRequested = ({ cause }: WorkspaceUpdate): boolean =>
  cause === undefined || cause === "API_CALL";

/** What started an update that we did not start. */
export function causeOf(update: WorkspaceUpdate, isContinuous: boolean, now: Date): RunCause {
  const { cause = "" } = update;
  const parameters = parametersOf(update);
  const about = {
    by: null,
    time: new Date(createdMs(update) || now.getTime()).toISOString(),
    ...(parameters && { parameters }),
  };
  if (cause === "JOB_TASK") return { trigger: "automation", ...about };
  const byPerson = cause === "USER_ACTION" || cause === "API_CALL";
  const reason = byPerson
    ? "It was started in the workspace."
    : `The workspace started it: ${cause || "unknown"}.`;
  return { trigger: isContinuous && !byPerson ? "live" : "manual", ...about, reason };
}
