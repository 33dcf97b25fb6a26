import type { Deployments } from "../deployments/deployments.ts";

/** What a release needs of the deployments: its record, and a summary that knows of it. */
export type DeploymentRecorder = Pick<Deployments, "recordDeployment" | "outdateSummary">;
