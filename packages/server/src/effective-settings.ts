import type { ServerSetting } from "@lakehelm/contract";
import { maskUrls } from "@lakehelm/contract/connections";
import type { AnySchema } from "@lakehelm/contract/schema";
import { credentialSettings } from "./credentials.ts";
import { type Settings, settingsSchema } from "./settings.ts";

const credentials: ReadonlySet<string> = new Set(credentialSettings);

/** The settings that the server runs with. For a credential, only whether it is set. */
export const effectiveSettings = (settings: Settings): ServerSetting[] =>
  settingsSchema.fieldEntries.map(([name, schema]) => {
    const isSecret = credentials.has(name);
    const value = textOf(settings[name as keyof Settings]);
    return {
      name,
      description: String(schema.jsonSchema(new Map()).description ?? ""),
      is_secret: isSecret,
      is_set: settings.givenNames.has(name),
      value: isSecret || value === null ? null : maskUrls(value),
      default: defaultOf(schema),
      source: settings.givenNames.has(name) ? "environment" : "default",
    };
  });

const defaultOf = ({ presence, fallback }: AnySchema) => (presence === "optional" ? null : textOf(fallback));

/**
 * The value as it would be written in the environment: a list with commas. Headers are credentials and never get here.
 */
function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(",") : String(value);
}
