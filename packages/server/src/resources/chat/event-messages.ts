import type { Run } from "@lakehelm/contract";
import { counted } from "@lakehelm/contract/text";
import { idOf } from "../../core/store/store.ts";
import { type LogEvent, textIn } from "./log-event.ts";

/** The input of a message: an event, and the names of its subject. */
export interface MessageInput {
  readonly event: LogEvent;
  readonly name: string;
  readonly environment: string;
  /** For the end of a run, unless the run was deleted since. */
  readonly run: Run | undefined;
  /** The public URL of the console, without a slash at the end; undefined if it is not known. */
  readonly consoleUrl?: string | undefined;
}

type Sentence = string | undefined;

/** The actors of automatic changes. */
const automaticActors = ["lakehelm", "scheduler"];

/** The messages by event kind: what, where, since when, why, and how to investigate. */
const sentences: Readonly<Record<string, (input: MessageInput) => readonly Sentence[]>> = {
  "automation.release_activated": released,
  "automation.release_deleted": removed,
  "automation.job_refused": ({ event, name, environment }) => [
    `The platform refused ${textIn(event, "asked") ?? "the job"} for ${name} ${textIn(event, "version")} in ${environment} at ${event.time}.`,
    reasonOf(event),
  ],
  "automation.schedule_paused": ({ event, name, environment }) => {
    const until = textIn(event, "until");
    const end = until === undefined ? "until it is resumed" : `until ${until}`;
    return [
      `${name} was paused in ${environment} at ${event.time} by ${event.actor}, ${end}.`,
      reasonOf(event),
    ];
  },
  "automation.schedule_resumed": ({ event, name, environment }) => [
    `${name} was resumed in ${environment} at ${event.time} ${
      automaticActors.includes(event.actor) ? "because its pause ended" : `by ${event.actor}`
    }.`,
  ],
  "agent.release_activated": released,
  "agent.release_deleted": removed,
  "run.failed": (input) => {
    const { event, name, environment } = input;
    const failures = Number(event.data.failures ?? 1);
    const often = failures > 1 ? `, ${counted(failures, "time")} in a row` : "";
    return [`${name} failed in ${environment}${often}.`, timesOf(input), errorOf(event), logOf(event)];
  },
  "run.succeeded": (input) => {
    const { event, name, environment } = input;
    const before = Number(event.data.recovered ?? 0);
    const what =
      before > 0
        ? `${name} has recovered in ${environment}: it succeeded after ${before} failed ${before === 1 ? "run" : "runs"}.`
        : `${name} succeeded in ${environment}${event.data.error ? ", but its checks failed" : ""}.`;
    return [what, timesOf(input), errorOf(event), logOf(event)];
  },
};

export const hasMessage = ({ kind }: Pick<LogEvent, "kind">): boolean => Object.hasOwn(sentences, kind);

/** The text of a message: the first line is the summary. */
export const textOf = (input: MessageInput): string =>
  [...(sentences[input.event.kind]?.(input) ?? []), linkOf(input)]
    .filter((line) => line !== undefined)
    .join("\n");

/** The page of the run, agent or automation that the message is about. */
function linkOf({ event: { subject }, name, environment, consoleUrl }: MessageInput): Sentence {
  if (consoleUrl === undefined) return undefined;
  const pages: Readonly<Record<string, string>> = {
    run: `runs/${idOf(subject)}`,
    agent: `agents/${idOf(subject)}`,
    automation: `automations/${encodeURIComponent(name)}`,
  };
  const page = pages[subject.split("/", 1)[0] ?? ""];
  return page && `Console: ${consoleUrl}/${page}?env=${encodeURIComponent(environment)}`;
}

function released({ event, name, environment }: MessageInput): Sentence[] {
  const replaced = textIn(event, "replaced");
  const former = replaced === undefined ? "" : `, replacing ${replaced}`;
  return [
    `${name} ${textIn(event, "version")} was released in ${environment} at ${event.time} by ${event.actor}${former}.`,
  ];
}

function removed({ event, name, environment }: MessageInput): Sentence[] {
  return [
    `${name} ${textIn(event, "version")} was removed from ${environment} at ${event.time} by ${event.actor}.`,
  ];
}

function reasonOf(event: LogEvent): Sentence {
  const reason = textIn(event, "reason");
  return reason && `Reason: ${reason}`;
}

const timesOf = ({ event, run }: MessageInput): string =>
  run?.started_at
    ? `It started at ${run.started_at} and ended at ${event.time}.`
    : `It ended at ${event.time}.`;

function errorOf(event: LogEvent): Sentence {
  const [line = ""] = (textIn(event, "error") ?? "").split("\n", 1);
  // The output of a program is in its log: it may have personal data, and the message says where the log is.
  const first = line.replace(/ Its last lines:$/, "");
  return first ? `Error: ${first.slice(0, 1000).toWellFormed()}` : undefined;
}

const logOf = ({ subject }: LogEvent): string => `Log: GET /api/v1/runs/${idOf(subject)}/log`;
