import { contextProblems, type GenerationContext } from "@lakehelm/codegen";
import type { Environment } from "@lakehelm/contract";

/** Environments with these names are for development. */
const inDevelopment = new Set(["local", "dev", "development"]);

/**
 * What generated code uses of the environment: its own fields, and `host`, `catalog`, `schema`, `dev_catalog`, `prod_catalog`,
 * `timezone`, `run_as`, `runtime`, `notification_email`, `owner_group` and `bundle_mode` of its configuration. All mistakes in these
 * are reported together.
 */
export function generationContextOf(
  environment: Environment,
): { readonly context: GenerationContext } | { readonly errors: string[] } {
  const errors: string[] = [];
  const text = (key: string): string | null => {
    const value = environment.configuration[key];
    if (value === undefined || value === null || value === "") return null;
    if (typeof value === "string") return value;
    errors.push(`The environment "${environment.name}" has a configuration.${key} that is not a string.`);
    return null;
  };
  const mode = text("bundle_mode") ?? (inDevelopment.has(environment.name) ? "development" : "production");
  if (mode !== "development" && mode !== "production") {
    errors.push(
      `The environment "${environment.name}" has configuration.bundle_mode "${mode}"; expected "development" or "production".`,
    );
  }
  const catalog = text("catalog") ?? "main";
  const runtime = text("runtime") ?? (environment.platform === "spark" ? "spark" : "databricks");
  if (runtime !== "databricks" && runtime !== "spark") {
    errors.push(
      `The environment "${environment.name}" has configuration.runtime "${runtime}"; expected "databricks" or "spark".`,
    );
  }
  const context: GenerationContext = {
    environment: environment.name,
    mode: mode === "development" ? "development" : "production",
    host: bundleHost(text("host")),
    catalog,
    schema: text("schema") ?? "default",
    otherCatalog:
      mode === "development"
        ? (text("prod_catalog") ?? catalog.replace(/_dev$/, ""))
        : (text("dev_catalog") ?? `${catalog}_dev`),
    secretScope: environment.secretScope || "lakehelm",
    runtime: runtime === "spark" ? "spark" : "databricks",
    isWorkspace: environment.platform === "databricks",
    // The timezone is checked where it is used: a wrong one must stop nothing but schedules.
    timezone: String(environment.configuration.timezone ?? "UTC"),
    git: environment.gitRepository
      ? { repository: environment.gitRepository, branch: environment.targetGitBranch || null }
      : null,
    runAs: text("run_as"),
    notificationEmail: text("notification_email"),
    ownerGroup: text("owner_group"),
  };
  errors.push(...contextProblems(context));
  return errors.length > 0 ? { errors } : { context };
}

/** A host on this machine is a stand-in for a workspace: a bundle cannot name it. */
const bundleHost = (host: string | null): string | null =>
  host !== null && /^http:\/\/(?:localhost|127\.[\d.]+)(?::\d+)?\/?$/.test(host) ? null : host;
