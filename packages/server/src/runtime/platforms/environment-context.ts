import type { Environment } from "@lakehelm/contract";
import type { Platform } from "./platform.ts";

/** The environment to work in, and its platform. */
export interface EnvironmentContext {
  readonly environment: Environment;
  readonly platform: Platform;
}
