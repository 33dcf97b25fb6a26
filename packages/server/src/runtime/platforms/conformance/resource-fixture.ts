import type { Client } from "@lakehelm/contract/client";
import type { TableName } from "@lakehelm/sql/names";
import type { PlatformResource } from "../capabilities.ts";
import type { ConnectorBody } from "./harness.ts";

type Body<Operation extends "createFlow" | "setDefinition" | "createPipeline" | "createAgentVersion"> =
  Parameters<Client[Operation]>[0]["body"];

/** An environment on a platform, in which the suite creates resources. A test whose part is absent is skipped. */
export interface ResourceFixture {
  readonly client: Client;
  /** The name of the environment. */
  readonly environment: string;
  /** A connector that the platform runs; the suite adds name and mode. */
  readonly connector: Pick<ConnectorBody, "target_type" | "target_config" | "datasets">;
  /** How long a start, a run or an update may take, if longer than usual: compute of a real workspace starts in minutes. */
  readonly waitMs?: number;
  /** The connector has nowhere to write to: its runs end with an error. */
  readonly runsMayFail?: true;
  readonly flow?: Body<"createFlow">;
  readonly pipeline?: Pick<Body<"createPipeline">, "libraries" | "serverless">;
  /** Tasks of an automation. */
  readonly automation?: Body<"setDefinition">;
  readonly agent?: {
    /** The folder of the agent's code, if it has one. The code is written once the agent exists. */
    readonly sourcePath?: string;
    writeCode?(): Promise<unknown>;
    /** Two versions of the agent. */
    readonly versions: readonly [Body<"createAgentVersion">, Body<"createAgentVersion">];
    /** Does something in the middle of a change, if the change can be kept waiting. */
    during(change: () => Promise<unknown>, meanwhile: () => Promise<void>): Promise<void>;
  };
  /** The folder of an app. */
  readonly appPath?: string;
  /** A table with the description `Orders`, and queries that the environment answers. */
  readonly table?: TableName;
  /** What the platform still has of the environment. */
  left?(): Promise<readonly string[]>;
  /** Removes what the suite has left. Called also after a failure. */
  close(): Promise<void>;
}

/** What the tests of one kind of resource receive. */
export interface ResourceSuite {
  readonly fixture: () => ResourceFixture;
  /** Whether the platform declares that it runs this kind. */
  readonly runs: (kind: PlatformResource) => boolean;
}
