import type { PlanKind } from "@lakehelm/contract";
import { type DeclaredDefinition, type Definition, declaredWith } from "../../planned-definition.ts";
import type { AppliedRows } from "../applied-rows.ts";
import type { LiveResource, PlannedKind } from "../planned-kind.ts";

/** The hash of a resource's code in its definition. Pipelines have the same key in their configuration. */
export const codeKey = "lakehelm.code";

/** The hash of a resource's code; undefined: its definition has none. */
export const codeOf = (kind: PlanKind, definition: Definition): unknown =>
  (kind === "pipeline" ? (definition.configuration as Definition | undefined) : definition)?.[codeKey];

/** A definition with another hash of its code. */
export const withCodeHash = (kind: PlanKind, definition: Definition, code: string): Definition =>
  kind === "pipeline"
    ? {
        ...definition,
        configuration: { ...(definition.configuration as Definition | undefined), [codeKey]: code },
      }
    : { ...definition, [codeKey]: code };

/**
 * A kind whose code is part of its plans. The live code is that of the last apply: files are uploaded when the resource
 * is registered, after the plan was made. A manual upload is noticed only where the files of the project are.
 */
export function withCode(kind: PlannedKind, applied: Pick<AppliedRows, "definition">): PlannedKind {
  async function liveOf(environmentId: string, live: LiveResource): Promise<LiveResource> {
    const last = await applied.definition(environmentId, kind.kind, live.name);
    return { ...live, declared: added(live.declared, last?.open[codeKey]) };
  }
  return {
    ...kind,
    hasCode: true,
    live: async (environmentId, names) =>
      Promise.all((await kind.live(environmentId, names)).map((one) => liveOf(environmentId, one))),
    async find(environmentId, name) {
      const found = await kind.find(environmentId, name);
      return found && liveOf(environmentId, found);
    },
    async byId(environmentId, id) {
      const found = await kind.byId?.(environmentId, id);
      return found && liveOf(environmentId, found);
    },
    async declare(body, live, context) {
      return added(await kind.declare(without(body), live, context), body[codeKey]);
    },
    create: (definition, env, call) => kind.create(without(definition), env, call),
    update: (live, definition, env, call) => kind.update(live, without(definition), env, call),
  };
}

const added = (declared: DeclaredDefinition, code: unknown): DeclaredDefinition =>
  code === undefined
    ? declared
    : declaredWith({ ...declared.masked, [codeKey]: code }, () => ({ ...declared.open, [codeKey]: code }));

function without({ [codeKey]: _, ...definition }: Definition): Definition {
  return definition;
}
