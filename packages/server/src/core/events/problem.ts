/** Why a log is not intact. `verify` returns it, and so do the events of the log about itself. */
export type ProblemReason =
  | "event_changed"
  | "event_removed"
  | "after_end"
  | "start_changed"
  | "head_changed"
  | "cut_off"
  | "replaced"
  | "pending_forged"
  | "pending_removed"
  | "anchor_missing"
  | "anchor_changed";

/** A finding about the log, and details for its event. */
export interface LogProblem {
  readonly reason: ProblemReason;
  readonly problem: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Events of the log about itself. */
export const logSubject = "event_log/main";
export const problemKind = "event_log.problem_found";
export const acknowledgedKind = "event_log.acknowledged";

export const problemEvent = ({ reason, problem, details }: LogProblem) => ({
  kind: problemKind,
  subject: logSubject,
  data: { reason, problem, ...details },
});
