import { endpoints } from "@lakehelm/contract";
import type { AnySchema } from "@lakehelm/contract/schema";

/** What a file of a project can be. */
export interface Kind {
  readonly kind: "connector" | "flow" | "pipeline" | "automation" | "agent" | "app";
  /** Where its files are, and how references begin. */
  readonly folder: string;
  /** The request that creates it: a file is its body. */
  readonly body: AnySchema;
  /** The field with its name. Default: the name of the file. */
  readonly nameField: string;
  /** Fields that the project fills in: who is responsible. */
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
    // An id is of one server.
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
