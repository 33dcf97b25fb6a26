import { type AutomationDefinition, type EndpointBody, endpoints } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../../runtime/platforms/environment-context.ts";
import type { Automations } from "../../automations/automations.ts";
import type { ReleasedAutomation } from "../../automations/planned-automation.ts";
import type { Definition } from "../../planned-definition.ts";
import type { LiveResource, PlanCall, PlannedKind } from "../planned-kind.ts";

type Body = EndpointBody<typeof endpoints.createAutomation>;

interface LiveAutomation extends LiveResource {
  readonly released: ReleasedAutomation;
}

const liveOf = (released: ReleasedAutomation): LiveAutomation => ({
  id: released.release.id,
  name: released.alias,
  declared: released.declared,
  owner: null,
  jobId: released.release.workflow_id,
  problem: null,
  released,
});

/**
 * The definition of an automation is shared by all environments, and each runs the design of its own release. So a plan
 * compares the release, and sets the definition when it releases it.
 */
export function automationKind(automations: Automations): PlannedKind {
  async function release(definition: Definition, { environment }: EnvironmentContext, call: PlanCall) {
    const {
      alias,
      description,
      definition: design,
    } = definition as Body & {
      readonly definition: AutomationDefinition;
    };
    const { context, project } = call;
    const known = await automations.find(alias);
    if (!known) {
      await automations.create({ alias, description, definition: design }, { context, saveAnswer: () => [] });
    } else {
      await automations.setDefinition(alias, design, { context });
      await automations.update(alias, { description }, { context });
    }
    const metadata = {
      ...(project.commit !== null && { git_commit_sha: project.commit }),
      ...(project.branch !== null && { git_branch: project.branch }),
    };
    await automations.syncRelease(
      { automation_alias: alias, environment: environment.id, action: "activate", metadata },
      context,
    );
  }

  return {
    kind: "automation",
    isNamedByEvents: true,
    schema: endpoints.createAutomation.body,
    nameField: "alias",
    fixed: [],
    live: async (environmentId) => (await automations.planned.released(environmentId)).map(liveOf),
    async find(environmentId, name) {
      const [found] = await automations.planned.released(environmentId, [name]);
      return found && liveOf(found);
    },
    declare: (body, live) =>
      automations.planned.declare(body as Body, (live as LiveAutomation | undefined)?.released),
    create: release,
    update: (_, definition, env, call) => release(definition, env, call),
    async remove({ name }, { environment }, { context }) {
      await automations.syncRelease(
        { automation_alias: name, environment: environment.id, action: "delete", metadata: {} },
        context,
      );
      // Other environments may still run it.
      const left = await automations.environmentsOf(name);
      if (left?.length === 0) await automations.remove(name, { context });
    },
  };
}
