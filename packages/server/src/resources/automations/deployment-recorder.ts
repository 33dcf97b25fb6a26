import type { Deployments } from "../deployments/deployments.ts";

/** Records the deployment of a release and marks the environment's summary as outdated. */
export type DeploymentRecorder = Pick<Deployments, "recordDeployment" | "invalidateSummary">;
