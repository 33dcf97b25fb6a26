import type { Run } from "@lakehelm/contract";
import { idOf, type LogEvent, textIn } from "./log-event.ts";

/** The input of a message: an event, and the names of its subject. */
export interface About {
  readonly event: LogEvent;
  readonly name: string;
  readonly environment: string;
  /** For the end of a run, unless the run was deleted since. */
  readonly run: Run | undefined;
}

type Sentence = string | undefined;

/** The actors of automatic changes. */
const ofItself = ["lakehelm", "scheduler"];

/** The messages by event kind: what, where, since when, why, and how to investigate. */
const sentences: Readonly<Record<string, (about: About) => readonly Sentence[]>> = {
  "automation.release_activated": released,
  "automation.release_deleted": takenOut,
  "automation.job_refused": ({ event, name, environment }) => [
    `The platform refused ${textIn(event, "asked") ?? "the job"} for ${name} ${textIn(event, "version")} in ${environment}, at ${event.time}.`,
    reasonOf(event),
  ],
  "automation.schedule_paused": ({ event, name, environment }) => {
    const until = textIn(event, "until");
    const end = until === undefined ? "until it is resumed" : `until ${until}`;
    return [
      `${name} is paused in ${environment} since ${event.time}, ${end}, by ${event.actor}.`,
      reasonOf(event),
    ];
  },
  "automation.schedule_resumed": ({ event, name, environment }) => [
    `${name} goes on in ${environment} since ${event.time}, ${
      ofItself.includes(event.actor) ? "as the time of its pause is over" : `resumed by ${event.actor}`
    }.`,
  ],
  "agent.release_activated": released,
  "agent.release_deleted": takenOut,
  "run.failed": (about) => {
    const { event, name, environment } = about;
    const failures = Number(event.data.failures ?? 1);
    const often = failures > 1 ? `, ${failures} times in a row` : "";
    return [`${name} failed in ${environment}${often}.`, timesOf(about), errorOf(event), lookAt(event)];
  },
  "run.succeeded": (about) => {
    const { event, name, environment } = about;
    const before = Number(event.data.recovered ?? 0);
    const what =
      before > 0
        ? `${name} has recovered in ${environment}: it succeeded after ${before} failed ${before === 1 ? "run" : "runs"}.`
        : `${name} succeeded in ${environment}.`;
    return [what, timesOf(about), lookAt(event)];
  },
};

export const isTold = ({ kind }: Pick<LogEvent, "kind">): boolean => Object.hasOwn(sentences, kind);

/** The text of a message: the first line is the summary. */
export const textOf = (about: About): string =>
  (sentences[about.event.kind]?.(about) ?? []).filter((line) => line !== undefined).join("\n");

function released({ event, name, environment }: About): Sentence[] {
  const replaced = textIn(event, "replaced");
  const former = replaced === undefined ? "" : `, in place of ${replaced}`;
  return [
    `${name} ${textIn(event, "version")} is current in ${environment} since ${event.time}${former}, released by ${event.actor}.`,
  ];
}

function takenOut({ event, name, environment }: About): Sentence[] {
  return [
    `${name} ${textIn(event, "version")} was taken out of ${environment} at ${event.time}, by ${event.actor}.`,
  ];
}

function reasonOf(event: LogEvent): Sentence {
  const reason = textIn(event, "reason");
  return reason && `Reason: ${reason}`;
}

const timesOf = ({ event, run }: About): string =>
  run?.started_at
    ? `It began at ${run.started_at} and ended at ${event.time}.`
    : `It ended at ${event.time}.`;

function errorOf(event: LogEvent): Sentence {
  const [first] = (textIn(event, "error") ?? "").split("\n", 1);
  return first ? `Error: ${first.slice(0, 1000).toWellFormed()}` : undefined;
}

const lookAt = ({ subject }: LogEvent): string => `Log: GET /api/v1/runs/${idOf(subject)}/log`;
