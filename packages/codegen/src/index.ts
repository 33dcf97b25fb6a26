/**
 * Checks of requests, templates, and automations as bundles, which load quickly. The generators are in `./generators`,
 * which loads the parsers of SQL and Python.
 */
export {
  type AutomationReference,
  automationBundle,
  automationBundleProblems,
  automationReferences,
  cronProblem,
} from "./automations/bundle.ts";
export { triggerFields } from "./bundle.ts";
export { withholdSecrets } from "./connector/secret-values.ts";
export { compareCodeUnits, contentHash, type DesignFile } from "./content-hash.ts";
export { type DeployedFile, deploymentOf, type JobSettings } from "./deployment.ts";
export { contextProblems, type GenerationContext } from "./generation-context.ts";
export { tagText } from "./metadata/change.ts";
export { metadataProblems } from "./metadata/metadata-problems.ts";
export type { TableMetadata } from "./metadata/table-metadata.ts";
export { templates } from "./templates.ts";
