import type { InstalledThing } from "../../installed-settings.ts";
import type { PlatformDifference } from "../../platform.ts";
import { readPipeline } from "../pipelines/workspace-pipelines.ts";
import { createTurns, type LiveKind } from "./live-kind.ts";
import { pipelineShape } from "./pipeline-shape.ts";
import { type FieldDifference, fieldName } from "./settings-difference.ts";

/** Fields that are the same in our definition. Other fields contain paths and secrets of the workspace. */
const sameThere = ["name", "channel", "edition", "development", "photon", "catalog", "schema", "serverless"];

/** A changed field of a pipeline as a change of our definition. */
function pipelineAdoption(_: InstalledThing, difference: FieldDifference): PlatformDifference["adoption"] {
  const field = fieldName(difference);
  const { live } = difference;
  if (sameThere.includes(field) && (typeof live === "string" || typeof live === "boolean"))
    return { change: { update: { [field]: live } } };
  return {
    problem: `${field} of a pipeline cannot be adopted. Change the definition yourself, or revert it.`,
  };
}

/** The list of pipelines has no specifications, so pipelines are read one by one. */
export function livePipelines(now: () => number): LiveKind {
  const turns = createTurns(now);
  return {
    shape: pipelineShape,
    adoption: pipelineAdoption,
    goneAdvice: ({ name }) => `To have none, delete "${name}" here; to have it again, revert.`,
    async open(client, things) {
      const isNext = turns(things);
      return async (thing) => {
        if (!isNext(thing)) return undefined;
        const { spec } = (await readPipeline(client, thing.reference)) ?? {};
        return spec ? { live: spec, declared: thing.settings } : null;
      };
    },
  };
}
