import { forbidden } from "../../core/errors.ts";

/** What decides whether an environment takes changes of definitions only by plans. */
interface BoundEnvironment {
  readonly protected: boolean;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** `PLATFORM_PROTECTED_CHANGES`: whether `protected` alone means it, too. */
export type ProtectedChanges = "direct" | "plan";

/**
 * Whether an environment takes changes of definitions only by plans. The contract's `protected` does not say so: the API still edits
 * there.
 */
export const isByPlan = (
  { protected: isProtected, configuration }: BoundEnvironment,
  protectedChanges: ProtectedChanges,
): boolean => configuration.changes === "plan" || (isProtected && protectedChanges === "plan");

/** Refuses a direct change where changes are by plan. `what`: why it is one, as a sentence with a space at its end. */
export const onlyByPlans = (name: string, what = "") =>
  forbidden(
    `${what}The environment "${name}" takes changes of definitions only by plans. Change the project and run: lakehelm apply --env ${name}`,
  );
