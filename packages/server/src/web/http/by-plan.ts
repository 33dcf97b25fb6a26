import { forbidden } from "../../core/errors.ts";

/** What decides whether an environment takes changes of definitions only by plans. */
interface BoundEnvironment {
  readonly protected: boolean;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** `PLATFORM_PROTECTED_CHANGES`: whether a protected environment takes changes only by plans, too. */
export type ProtectedChanges = "direct" | "plan";

/**
 * Whether an environment takes changes of definitions only by plans. `protected` alone does not mean that in the
 * contract: the API may still change definitions there.
 */
export const isByPlan = (
  { protected: isProtected, configuration }: BoundEnvironment,
  protectedChanges: ProtectedChanges,
): boolean => configuration.changes === "plan" || (isProtected && protectedChanges === "plan");

/** Refuses a direct change. `what`: a sentence that says why it changes a definition, with a space at its end. */
export const onlyByPlans = (name: string, what = "") =>
  forbidden(
    `${what}The environment "${name}" takes changes of definitions only by plans. Change the project and run: lakehelm apply --env ${name}`,
  );
