import type { InstalledThing } from "../../installed-settings.ts";
import type { PlatformDifference } from "../../platform.ts";
import { type FieldDifference, fieldName, type SettingsShape } from "./settings-difference.ts";

/** The specification of pipelines. */
export const pipelineShape: SettingsShape = {
  watched: new Set([
    "libraries",
    "configuration",
    "clusters",
    "tags",
    "development",
    "notifications",
    "environment",
    "target",
  ]),
  defaults: { channel: ["CURRENT"], edition: ["ADVANCED"], photon: [true] },
  itemKeys: {},
  mayBeHidden: new Set(["allow_duplicate_names", "run_as"]),
};

/** Fields that our definition has in the same words. Others have paths and secrets of the workspace in them. */
const sameThere = ["name", "channel", "edition", "development", "photon", "catalog", "schema", "serverless"];

/** A changed field of a pipeline in the words of our definition. */
export function pipelineAdoption(
  _: InstalledThing,
  difference: FieldDifference,
): PlatformDifference["adoption"] {
  const field = fieldName(difference);
  const { live } = difference;
  if (sameThere.includes(field) && (typeof live === "string" || typeof live === "boolean"))
    return { change: { update: { [field]: live } } };
  return {
    problem: `${field} of a pipeline cannot be adopted. Change the definition yourself, or revert it.`,
  };
}
