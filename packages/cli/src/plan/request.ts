import type { PlanRequest } from "@lakehelm/contract";
import type { Project } from "../project/project.ts";
import { codeHash, codeKey } from "./code-changes.ts";

/** The request that plans a project. */
export function planRequest(
  project: Project,
  environment: string,
  about: { readonly commit?: string; readonly branch?: string },
  prune: boolean,
): PlanRequest {
  const { name, resources, policies, code } = project;
  return {
    environment,
    project: { name, ...about },
    prune,
    policies: policies.map(({ name: policy, level, rule, message }) => ({
      name: policy,
      level,
      rule,
      message,
    })),
    resources: resources.map(({ kind, name: own, definition, tree, file }) => {
      const hash = kind.kind === "pipeline" ? codeHash(code, `pipelines.${own}`) : undefined;
      const configuration = { ...((definition.configuration as object | undefined) ?? {}), [codeKey]: hash };
      return {
        kind: kind.kind,
        name: own,
        definition: hash === undefined ? definition : { ...definition, configuration },
        file: { path: file, line: tree.source.locate(tree.at).line },
      };
    }),
  };
}
