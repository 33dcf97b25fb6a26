/** A definition of an automation as a bundle of Databricks. */
export { automationBundle, automationBundleProblems, cronProblem } from "./bundle.ts";
