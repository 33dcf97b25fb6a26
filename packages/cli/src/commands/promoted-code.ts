import type { Plan } from "@lakehelm/contract";
import type { Session } from "../connection/session.ts";
import { type CodeChange, codeChanges } from "../plan/code-changes.ts";
import { type CodeFile, libraryPaths } from "../project/code-files.ts";
import { kindOf } from "../project/kinds.ts";
import { liveResources } from "../project/live.ts";

/**
 * The code of a promoted plan, from an environment where the same designs are applied. Undefined: there is no such
 * environment.
 */
export async function promotedCode(session: Session, plan: Plan): Promise<CodeChange[] | undefined> {
  const { client, io } = session;
  const seen = new Set<string>();
  const query = { name: plan.project_name, status: "applied", sort: "-created" } as const;
  // In each environment only the last plan counts, because the workspace has the code of that plan.
  for await (const one of client.all.listPlans({ query, environment: null, signal: io.signal })) {
    if (seen.has(one.environment_id) || one.environment_id === plan.environment_id) continue;
    seen.add(one.environment_id);
    if (one.design_hash === plan.design_hash) {
      const code = await codeIn(session, one.environment);
      return codeChanges(client, plan.environment, code, io.signal);
    }
  }
  return undefined;
}

/** The code that the resources of an environment use. */
export async function codeIn({ client, io: { signal } }: Session, from: string): Promise<CodeFile[]> {
  /** Paths, each with the resource that uses the file. */
  const paths = new Map<string, string>();
  for await (const { kind, name, definition } of liveResources(client, from, signal)) {
    const usedBy = `${kindOf(kind).folder}.${name}`;
    if (kind === "pipeline") for (const path of libraryPaths(definition)) paths.set(path, usedBy);
    const folder =
      typeof definition.source_path === "string" ? definition.source_path.replace(/\/*$/, "/") : undefined;
    if (folder === undefined || kind === "pipeline") continue;
    for await (const { path } of client.all.listFiles({
      query: { prefix: folder },
      environment: from,
      signal,
    }))
      paths.set(path, usedBy);
  }
  const files: CodeFile[] = [];
  for (const [path, usedBy] of paths) {
    const bytes = await client
      .getFile({ params: { path }, environment: from, signal })
      .catch(() => undefined);
    if (bytes) files.push({ path, bytes: Buffer.from(bytes), usedBy: [usedBy] });
  }
  return files;
}
