import type { PlanKind } from "@lakehelm/contract";
import type { AnySchema } from "@lakehelm/contract/schema";
import type { ChangeContext } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { DeclaredDefinition, Definition } from "../planned-definition.ts";

/** A resource as it is now. */
export interface LiveResource {
  readonly id: string;
  readonly name: string;
  readonly declared: DeclaredDefinition;
  /** Who owns it, as its definition or its record says; null: not known. */
  readonly owner: string | null;
  /** The job that runs it; null: none. */
  readonly jobId: string | null;
  /** Why the platform refused it; null: it did not. */
  readonly problem: string | null;
  /** Whether a run has written a dataset of it; undefined: not known. */
  hasRun?(target: string): boolean | undefined;
}

/** Who makes a change, as part of which plan. */
export interface PlanCall {
  readonly context: ChangeContext;
  readonly project: { readonly commit: string | null; readonly branch: string | null };
}

/** How plans work with one kind of resource: by the rules of that resource. */
export interface PlannedKind {
  readonly kind: PlanKind;
  /** The body of the request that creates a resource of this kind. */
  readonly schema: AnySchema;
  /** The field of the definition that has the resource's name. */
  readonly nameField: string;
  /** Fields that never change: another value needs another resource. */
  readonly fixed: readonly string[];
  /** Whether all environments share a resource: then only the project that applied it may delete it. */
  readonly isShared?: true;
  /** Events name the resource by its name, not by `id`, which is the id of the release that an environment runs. */
  readonly isNamedByEvents?: true;
  /** Whether a plan has the hash of its code. */
  readonly hasCode?: true;
  /** The resources in an environment; of a shared kind, only those with these names. */
  live(environmentId: string, names: readonly string[]): Promise<LiveResource[]>;
  find(environmentId: string, name: string): Promise<LiveResource | undefined>;
  /** Absent if events name it by its name. */
  byId?(environmentId: string, id: string): Promise<LiveResource | undefined>;
  /** The definition in the form in which definitions are compared. Throws 409 if it is wrong in itself. */
  declare(
    body: Definition,
    live: LiveResource | undefined,
    context: ChangeContext,
  ): DeclaredDefinition | Promise<DeclaredDefinition>;
  create(definition: Definition, env: EnvironmentContext, call: PlanCall): Promise<void>;
  update(live: LiveResource, definition: Definition, env: EnvironmentContext, call: PlanCall): Promise<void>;
  remove(live: LiveResource, env: EnvironmentContext, call: PlanCall): Promise<void>;
}
