import type { ChatBinding, Run } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { Problem } from "../../core/errors.ts";
import type { ChatBindings } from "./bindings.ts";
import { mailChannel, type NewDelivery } from "./delivery-rows.ts";
import { textOf } from "./event-messages.ts";
import { idOf, type LogEvent, textIn } from "./log-event.ts";
import { clipped } from "./message.ts";
import { type Named, namedByDefinition, namedByPipeline } from "./notifications.ts";

/** The deliveries for an event. */
export type Telling = (event: LogEvent) => Promise<NewDelivery[]>;

/** Lookups in other resources; undefined if the resource no longer exists. */
export interface Known {
  environmentName(id: string): Promise<string | undefined>;
  automationAlias(id: string): Promise<string | undefined>;
  run(id: string): Promise<Run | undefined>;
  /** Throws a problem if the pipeline no longer exists. */
  pipelineNotifications(id: string): Promise<unknown>;
}

export function createNotificationRules(
  { system, settings }: Pick<Dependencies, "system" | "settings">,
  bindings: Pick<ChatBindings, "ofEnvironment">,
  known: Known,
): Telling {
  async function named(event: LogEvent, subject: string): Promise<Named> {
    if (!event.kind.startsWith("run.") || !subject.startsWith("pipeline/")) return namedByDefinition(event);
    const entries = await known.pipelineNotifications(idOf(subject)).catch((error) => {
      if (error instanceof Problem) return undefined;
      throw error;
    });
    return namedByPipeline(event, entries);
  }

  return async (event) => {
    const environmentId = textIn(event, "environment_id");
    if (environmentId === undefined) return [];
    const environment = await known.environmentName(environmentId);
    if (environment === undefined) return [];
    const isRun = event.kind.startsWith("run.");
    const run = isRun ? await known.run(idOf(event.subject)) : undefined;
    if (isValidation(run)) return [];
    const subject = (isRun && textIn(event, "subject")) || event.subject;
    const automation = subject.startsWith("automation/")
      ? ((await known.automationAlias(idOf(subject))) ?? null)
      : null;
    const { channels, mails } = await named(event, subject);
    // If the run is a task of an automation, the automation sends the notification.
    const isBoundTold = isAlert(event) && run?.cause.trigger !== "automation";
    const hears = (binding: ChatBinding) =>
      channels.includes(binding.channel_id) ||
      (isBoundTold && (binding.automation_alias === null || binding.automation_alias === automation));

    const name = nameOf(event, subject, automation);
    const text = clipped(textOf({ event, name, environment, run }));
    const { notify: _, metrics: __, ...rest } = event.data;
    const data = { ...rest, actor: event.actor, ...(isRun && { run_id: idOf(event.subject) }) };
    const message = { kind: event.kind, time: event.time, environment, automation, text, data };
    const told = (await bindings.ofEnvironment(environmentId)).filter(
      // Events from before the binding are not delivered, and neither is anything to a binding without an address.
      (binding) => binding.channel_url !== null && binding.created_at <= event.time && hears(binding),
    );
    const deliveries: NewDelivery[] = told.map(({ id: channel, channel_id }) => ({
      channel,
      environmentId,
      message: { id: system.newId(), ...message, channel_id },
    }));
    if (mails.length === 0 || settings.PLATFORM_MAIL_WEBHOOK_URL === undefined) return deliveries;
    const mail = { to: mails, subject: text.split("\n", 1)[0] ?? "" };
    const mailed = { id: system.newId(), ...message, channel_id: null, mail };
    return [...deliveries, { channel: mailChannel, environmentId, message: mailed }];
  };
}

/** Bound channels are notified of everything except successful runs that follow a success. */
const isAlert = ({ kind, data }: LogEvent): boolean => kind !== "run.succeeded" || Boolean(data.recovered);

/** A pipeline update that only validates has updated nothing. */
const isValidation = (run: Run | undefined): boolean => run?.cause.parameters?.validate_only === true;

/** The display name: automations by alias, everything else with its type. */
function nameOf(event: LogEvent, subject: string, automation: string | null): string {
  const name = textIn(event, "name") ?? idOf(subject);
  if (subject.startsWith("automation/")) return automation ?? name;
  const [noun = ""] = subject.split("/", 1);
  return `The ${noun} ${name}`;
}
