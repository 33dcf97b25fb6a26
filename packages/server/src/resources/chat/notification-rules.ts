import type { ChatBinding, Run } from "@lakehelm/contract";
import { trimEnd } from "@lakehelm/contract/text";
import type { Dependencies } from "../../core/dependencies.ts";
import { Problem } from "../../core/errors.ts";
import { idOf } from "../../core/store/store.ts";
import type { ChatBindings } from "./bindings.ts";
import { mailChannel, type NewDelivery } from "./delivery-rows.ts";
import { textOf } from "./event-messages.ts";
import { type LogEvent, textIn } from "./log-event.ts";
import { truncated } from "./message.ts";
import { type Recipients, recipientsOfDefinition, recipientsOfPipeline } from "./recipients.ts";

/** The deliveries for an event. */
export type NotificationRules = (event: LogEvent) => Promise<NewDelivery[]>;

/** Lookups in other resources; undefined if the resource no longer exists. */
export interface NotificationLookups {
  environmentName(id: string): Promise<string | undefined>;
  automationAlias(id: string): Promise<string | undefined>;
  run(id: string): Promise<Run | undefined>;
  /** Throws a problem if the pipeline no longer exists. */
  pipelineNotifications(id: string): Promise<unknown>;
}

export function createNotificationRules(
  { system, settings }: Pick<Dependencies, "system" | "settings">,
  bindings: Pick<ChatBindings, "ofEnvironment">,
  lookups: NotificationLookups,
): NotificationRules {
  async function recipientsOf(event: LogEvent, subject: string): Promise<Recipients> {
    if (!event.kind.startsWith("run.") || !subject.startsWith("pipeline/"))
      return recipientsOfDefinition(event);
    const entries = await lookups.pipelineNotifications(idOf(subject)).catch((error) => {
      if (error instanceof Problem) return undefined;
      throw error;
    });
    return recipientsOfPipeline(event, entries);
  }

  const { PLATFORM_PUBLIC_URL: publicUrl, PLATFORM_CONSOLE } = settings;
  const consoleUrl =
    publicUrl === undefined || PLATFORM_CONSOLE === "off" ? undefined : `${trimEnd(publicUrl, /\//)}/console`;

  return async (event) => {
    const environmentId = textIn(event, "environment_id");
    if (environmentId === undefined) return [];
    const environment = await lookups.environmentName(environmentId);
    if (environment === undefined) return [];
    const isRun = event.kind.startsWith("run.");
    const run = isRun ? await lookups.run(idOf(event.subject)) : undefined;
    if (isValidation(run)) return [];
    const subject = (isRun && textIn(event, "subject")) || event.subject;
    const automation = subject.startsWith("automation/")
      ? ((await lookups.automationAlias(idOf(subject))) ?? null)
      : null;
    const { channels, mails } = await recipientsOf(event, subject);
    // If the run is a task of an automation, the automation sends the notification.
    const notifiesBindings = isAlert(event) && run?.cause.trigger !== "automation";
    const isRecipient = (binding: ChatBinding) =>
      channels.includes(binding.channel_id) ||
      (notifiesBindings && (binding.automation_alias === null || binding.automation_alias === automation));

    const name = nameOf(event, subject, automation);
    const text = truncated(textOf({ event, name, environment, run, consoleUrl }));
    const { notify: _, metrics: __, ...rest } = event.data;
    const data = { ...rest, actor: event.actor, ...(isRun && { run_id: idOf(event.subject) }) };
    const message = { kind: event.kind, time: event.time, environment, automation, text, data };
    const recipients = (await bindings.ofEnvironment(environmentId)).filter(
      // Events from before the binding are not delivered, and neither is anything to a binding without an address.
      (binding) => binding.channel_url !== null && binding.created_at <= event.time && isRecipient(binding),
    );
    const deliveries: NewDelivery[] = recipients.map(({ id: channel, channel_id }) => ({
      channel,
      environmentId,
      message: { id: system.newId(), ...message, channel_id },
    }));
    if (mails.length === 0 || settings.PLATFORM_MAIL_WEBHOOK_URL === undefined) return deliveries;
    const mail = { to: mails, subject: text.split("\n", 1)[0] ?? "" };
    const mailMessage = { id: system.newId(), ...message, channel_id: null, mail };
    return [...deliveries, { channel: mailChannel, environmentId, message: mailMessage }];
  };
}

/** Bound channels are notified of everything except successful runs that follow a success and have no failed checks. */
const isAlert = ({ kind, data }: LogEvent): boolean =>
  kind !== "run.succeeded" || Boolean(data.recovered) || Boolean(data.error);

/** A pipeline update that only validates has updated nothing. */
const isValidation = (run: Run | undefined): boolean => run?.cause.parameters?.validate_only === true;

/** The display name: automations by alias, everything else with its type. */
function nameOf(event: LogEvent, subject: string, automation: string | null): string {
  const name = textIn(event, "name") ?? idOf(subject);
  if (subject.startsWith("automation/")) return automation ?? name;
  const [type = ""] = subject.split("/", 1);
  return `The ${type} ${name}`;
}
