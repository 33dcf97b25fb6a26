import { endpoints } from "@lakehelm/contract";
import type { AnySchema } from "@lakehelm/contract/schema";

/** A kind of resource that a project can have. */
export interface Kind {
  readonly kind: "connector" | "flow" | "pipeline" | "automation" | "agent" | "app";
  /** The folder of its files, and the prefix of references to it. */
  readonly folder: string;
  /** The schema of the request that creates the resource. A file contains the request's body. */
  readonly body: AnySchema;
  /** The field with the resource's name. Default: the name is the file's name. */
  readonly nameField: string;
  /** The field with the owner, which the project fills in. */
  readonly ownerField?: string;
  /** Fields of the request that a project does not have. */
  readonly without: readonly string[];
}

export const kinds: readonly Kind[] = [
  {
    kind: "connector",
    folder: "connectors",
    body: endpoints.createConnector.body,
    nameField: "name",
    ownerField: "created_by",
    without: [],
  },
  {
    kind: "pipeline",
    folder: "pipelines",
    body: endpoints.createPipeline.body,
    nameField: "name",
    // An id belongs to one server.
    without: ["id"],
  },
  {
    kind: "flow",
    folder: "flows",
    body: endpoints.createFlow.body,
    nameField: "flow_name",
    ownerField: "requested_by",
    without: [],
  },
  {
    kind: "automation",
    folder: "automations",
    body: endpoints.createAutomation.body,
    nameField: "alias",
    without: [],
  },
  { kind: "agent", folder: "agents", body: endpoints.createAgent.body, nameField: "name", without: [] },
  { kind: "app", folder: "apps", body: endpoints.createApp.body, nameField: "name", without: [] },
];

export const kindOf = (name: Kind["kind"]): Kind => kinds.find(({ kind }) => kind === name) as Kind;

export const policyFolder = "policies";
