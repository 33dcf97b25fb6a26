import type { AutomationDefinition, EndpointBody, endpoints, Release } from "@lakehelm/contract";
import { turns } from "../../core/concurrency/turns.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import { type DeclaredDefinition, type DeclaredFields, declaredWith } from "../planned-definition.ts";
import { definitionProblems } from "./definition.ts";
import { createSealedDefinitions, type StoredDefinition } from "./definition-secrets.ts";
import type { Registry } from "./registry.ts";
import type { ReleaseDesigns } from "./release-designs.ts";
import type { Releases } from "./releases.ts";

type Body = EndpointBody<typeof endpoints.createAutomation>;

/** An automation as an environment runs it: the design of its release there. */
export interface ReleasedAutomation {
  readonly alias: string;
  readonly release: Release;
  readonly declared: DeclaredDefinition;
  /** The design as stored; absent for a release without a definition. */
  readonly design?: StoredDefinition | undefined;
}

/** For plans: environments share a definition, so the definition is compared with the release of each environment. */
export interface PlannedAutomations {
  released(environmentId: string, aliases?: readonly string[]): Promise<ReleasedAutomation[]>;
  /** Throws 409 if the definition is invalid in itself. */
  declare(body: Body, before: ReleasedAutomation | undefined): DeclaredDefinition;
}

const maxProblems = 10;

export function createPlannedAutomations(
  { vault }: Dependencies,
  {
    registry,
    releases,
    designs,
  }: {
    readonly registry: Registry;
    readonly releases: Releases;
    readonly designs: ReleaseDesigns;
  },
): PlannedAutomations {
  const definitions = createSealedDefinitions(vault);
  const declared = (
    alias: string,
    description: string,
    design: StoredDefinition | undefined,
  ): DeclaredDefinition => {
    const of = (definition: AutomationDefinition | null) =>
      ({ alias, description, definition }) satisfies DeclaredFields<Body>;
    return declaredWith(of(design?.masked ?? null), () =>
      of(design ? definitions.open(design.masked, design.sealed) : null),
    );
  };

  return {
    async released(environmentId, aliases) {
      const turn = turns();
      const found: ReleasedAutomation[] = [];
      for (const release of await releases.inEnvironment(environmentId)) {
        const alias = release.artifact.slice("automation/".length);
        if (aliases && !aliases.includes(alias)) continue;
        // Parsing a definition of up to a megabyte blocks this thread: other requests get a turn first.
        await turn();
        const description = (await registry.find(alias))?.doc.description ?? "";
        const design = await designs.stored(release.id);
        found.push({ alias, release, design, declared: declared(alias, description, design) });
      }
      return found;
    },
    declare({ alias, description, definition }, before) {
      if (!definition) throw conflict(`The automation "${alias}" needs a definition to be released.`);
      const problems = definitionProblems(definition);
      if (problems.length > 0) throw conflict(problems.slice(0, maxProblems).join(" "));
      const design = definitions.seal(definition, before?.design);
      return declared(alias, definition.description || description, design);
    },
  };
}
