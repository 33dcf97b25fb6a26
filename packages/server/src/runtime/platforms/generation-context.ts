import { contextProblems, type GenerationContext } from "@lakehelm/codegen";
import type { Environment } from "@lakehelm/contract";

/** Environments with these names are for development. */
const inDevelopment = new Set(["local", "dev", "development"]);

/**
 * What generated code uses of the environment: its own fields, and `host`, `catalog`, `schema`, `run_as` and
 * `bundle_mode` of its configuration. All mistakes in these are reported together.
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
  const context: GenerationContext = {
    environment: environment.name,
    mode: mode === "development" ? "development" : "production",
    host: text("host"),
    catalog: text("catalog") ?? "main",
    schema: text("schema") ?? "default",
    secretScope: environment.secretScope || "lakehelm",
    git: environment.gitRepository
      ? { repository: environment.gitRepository, branch: environment.targetGitBranch || null }
      : null,
    runAs: text("run_as"),
  };
  errors.push(...contextProblems(context));
  return errors.length > 0 ? { errors } : { context };
}
