import type { ServerSetting } from "@lakehelm/contract";
import { maskUrls } from "@lakehelm/contract/connections";
import type { AnySchema } from "@lakehelm/contract/schema";
import { credentialSettings } from "./credentials.ts";
import { type Settings, settingsSchema } from "./settings.ts";

const credentials: ReadonlySet<string> = new Set(credentialSettings);

/** What the server runs with. A credential is only set or not. */
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

/** As it would be given: a list with commas. Headers are credentials and never get here. */
function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(",") : String(value);
}
