import type { Environment } from "@lakehelm/contract";
import type { Platform } from "./platform.ts";

/** The environment that work happens in, and the platform that does it. */
export interface EnvironmentContext {
  readonly environment: Environment;
  readonly platform: Platform;
}
