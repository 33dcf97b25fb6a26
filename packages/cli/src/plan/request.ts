import type { PlanRequest } from "@lakehelm/contract";
import type { CodeFile } from "../project/code-files.ts";
import type { Project } from "../project/project.ts";
import { codeFilesOf, codeKey, hashOf } from "./code-changes.ts";

/** The SQL files of pipelines, which the plan checks. */
export const pipelineFiles = (code: readonly CodeFile[]): PlanRequest["files"] =>
  code.flatMap(({ path, bytes, usedBy }) =>
    usedBy.some((user) => user.startsWith("pipelines.")) ? [{ path, text: bytes.toString("utf8") }] : [],
  );

export function planRequest(
  project: Project,
  environment: string,
  about: { readonly commit?: string; readonly branch?: string },
  prune: boolean,
): PlanRequest {
  const { name, resources, policies, code } = project;
  const filesBy = codeFilesOf(code);
  return {
    environment,
    project: { name, ...about },
    prune,
    files: pipelineFiles(code),
    policies: policies.map(({ name: policy, level, rule, message }) => ({
      name: policy,
      level,
      rule,
      message,
    })),
    resources: resources.map(({ kind, name: own, definition, tree, file }) => {
      const files = filesBy.get(`${kind.folder}.${own}`);
      const hash = files && hashOf(files);
      const isConfigured = hash !== undefined && kind.kind === "pipeline";
      const configuration = { ...((definition.configuration as object | undefined) ?? {}), [codeKey]: hash };
      return {
        kind: kind.kind,
        name: own,
        definition: isConfigured ? { ...definition, configuration } : definition,
        ...(hash !== undefined && !isConfigured && { code: hash }),
        ...(files && { code_files: files }),
        file: { path: file, line: tree.source.locate(tree.at).line },
      };
    }),
  };
}
