import type { PlanRequest } from "@lakehelm/contract";
import type { Project } from "../project/project.ts";
import { codeHashes, codeKey } from "./code-changes.ts";

/** The request that plans a project. */
export function planRequest(
  project: Project,
  environment: string,
  about: { readonly commit?: string; readonly branch?: string },
  prune: boolean,
): PlanRequest {
  const { name, resources, policies, code } = project;
  const hashes = codeHashes(code);
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
      const hash = hashes.get(`${kind.folder}.${own}`);
      const isConfigured = hash !== undefined && kind.kind === "pipeline";
      const configuration = { ...((definition.configuration as object | undefined) ?? {}), [codeKey]: hash };
      return {
        kind: kind.kind,
        name: own,
        definition: isConfigured ? { ...definition, configuration } : definition,
        ...(hash !== undefined && !isConfigured && { code: hash }),
        file: { path: file, line: tree.source.locate(tree.at).line },
      };
    }),
  };
}
