import type { ClusterConfiguration } from "./configuration.ts";

const off =
  "Python libraries of pipelines on Spark are off on this server. An operator of the server can allow them: PLATFORM_SPARK_PYTHON.";

/**
 * The Python that runs the libraries of an environment's pipelines. An environment chooses among those that the
 * operator of this server allows, and never names a program of its own: anyone who may write environments could run any
 * program of the server.
 */
export function pythonFor(
  { python }: Pick<ClusterConfiguration, "python">,
  allowed: readonly string[],
): { readonly program: string } | { readonly problem: string } {
  const [first] = allowed;
  if (first === undefined) return { problem: off };
  if (python === null) return { program: first };
  if (allowed.includes(python)) return { program: python };
  return {
    problem: `configuration.python of the environment must be one of those that the operator of this server allows (PLATFORM_SPARK_PYTHON): ${allowed.join(", ")}.`,
  };
}
