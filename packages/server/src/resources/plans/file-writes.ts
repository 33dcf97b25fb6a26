import { hash } from "node:crypto";
import type { PlanKind } from "@lakehelm/contract";
import { codeHash, type HashedFile } from "@lakehelm/contract/changes";
import { forbidden } from "../../core/errors.ts";
import type { Settings } from "../../settings.ts";
import { isByPlan, onlyByPlans } from "../../web/http/by-plan.ts";
import type { TouchedDefinition, WritePolicies } from "../../web/http/write-policies.ts";
import type { FileWrite, RequireAllowed } from "../files/write-guard.ts";
import type { Definition } from "../planned-definition.ts";
import type { Digest } from "./digest.ts";
import { withCodeHash } from "./kinds/with-code.ts";
import { nodeOf } from "./lineage.ts";
import type { PlanChecks } from "./plan-checks.ts";
import type { PlanRows } from "./plan-rows.ts";
import type { LiveResource, PlannedKind } from "./planned-kind.ts";

/** A resource whose code is in a file. */
interface CodeUser {
  readonly kind: PlanKind;
  readonly name: string;
}

export interface FileWriteOptions {
  readonly kinds: readonly PlannedKind[];
  readonly rows: PlanRows;
  readonly digest: Digest;
  readonly writes: WritePolicies;
  readonly checks: Pick<PlanChecks, "judgedForFiles">;
  readonly usersOf: (environmentId: string, path: string) => Promise<readonly CodeUser[]>;
}

type Used = { readonly user: CodeUser; readonly live: LiveResource };

/**
 * Writing a file changes every resource that uses it. The write is refused where changes need plans, and judged by the
 * policies of the server, unless it is part of a plan that may be applied or was applied. A file that no resource uses
 * may be written.
 */
export function fileWriteRules(
  settings: Pick<Settings, "PLATFORM_PROTECTED_CHANGES">,
  { kinds, rows, digest, writes, checks, usersOf }: FileWriteOptions,
): RequireAllowed {
  /** The steps of the plan whose files are being written, which never change. */
  let last:
    | { readonly planId: string; readonly steps: Promise<ReadonlyMap<string, PlannedCode>> }
    | undefined;

  return async (write) => {
    const { environment, path, context } = write;
    const isPlanned = isByPlan(environment, settings.PLATFORM_PROTECTED_CHANGES);
    if (!isPlanned && !writes.exist) return;
    const used: Used[] = [];
    for (const user of await usersOf(environment.id, path)) {
      const live = await kinds.find(({ kind }) => kind === user.kind)?.find(environment.id, user.name);
      if (live) used.push({ user, live });
    }
    const [first] = used;
    if (!first) return;
    if (write.plan !== null) return requireInPlan(write, write.plan, used);
    const { kind, name } = first.user;
    if (isPlanned) throw onlyByPlans(environment.name, `"${path}" is code of the ${kind} ${name}. `);
    await writes.require(
      used.map((one) => touchedBy(write, one)),
      context,
      new Map([[path, textOf(write.content)]]),
    );
  };

  /** The file must have the planned content for every resource that uses it, and these must not have changed since. */
  async function requireInPlan(
    { environment, path, content, context }: FileWrite,
    planId: string,
    used: readonly Used[],
  ): Promise<void> {
    const refuse = (why: string) =>
      forbidden(`"${path}" cannot be written as part of the plan ${planId}: ${why}`);
    const { doc: plan } = await rows.read(planId);
    if (plan.environment_id !== environment.id) throw refuse("it is a plan of another environment.");
    const isApplied = plan.status === "applied";
    if (!isApplied) {
      const mayApply = ["planned", "approved", "applying", "failed"].includes(plan.status);
      // Since the plan, the environment may have been protected or frozen, or an approver may have lost the role admin.
      const { status, status_reason } = mayApply
        ? await checks.judgedForFiles(plan, environment, context)
        : plan;
      if (status !== "planned" && status !== "approved") throw refuse(status_reason ?? `it is ${status}.`);
    }
    const steps = await stepsOf(planId);
    const sha256 = content && hash("sha256", content);
    for (const { user, live } of used) {
      const step = steps.get(nodeOf(user.kind, user.name));
      const about = `the ${user.kind} ${user.name}`;
      if (!step) throw refuse(`${about} uses it, and is not in the plan.`);
      // The plan deletes this resource: the file is for the resource that replaces it.
      if (step.isDeleted) continue;
      const now = digest(live.declared.open);
      if (now !== step.leadsTo && (isApplied || now !== step.restsOn))
        throw refuse(`${about} has changed since. Make a new plan.`);
      const planned = step.files?.find((file) => file.path === path);
      if (planned?.sha256 !== sha256)
        throw refuse(`the plan has ${planned ? "other content of it" : "no such file"} for ${about}.`);
    }
    const isPlanned = [...steps.values()].some(({ files }) =>
      files?.some((file) => file.path === path && file.sha256 === sha256),
    );
    if (!isPlanned) throw refuse("the plan has no such file with this content.");
  }

  function stepsOf(planId: string): Promise<ReadonlyMap<string, PlannedCode>> {
    if (last?.planId !== planId) {
      const steps = codeIn(planId);
      last = { planId, steps };
      steps.catch(() => {
        last = undefined;
      });
    }
    return last.steps;
  }

  async function codeIn(planId: string): Promise<ReadonlyMap<string, PlannedCode>> {
    const steps = await rows.steps(planId);
    return new Map(
      steps.map((stored) => {
        const { step, restsOn, leadsTo } = stored;
        const files = rows.design(stored)?.codeFiles?.filter(({ isUnseen }) => !isUnseen);
        return [
          nodeOf(step.kind, step.name),
          { restsOn, leadsTo, files, isDeleted: step.action === "delete" },
        ];
      }),
    );
  }
}

interface PlannedCode {
  readonly restsOn: string;
  readonly leadsTo: string;
  readonly files: readonly HashedFile[] | undefined;
  readonly isDeleted: boolean;
}

/** The definition as a plan would have it: with another hash of its code. */
function touchedBy({ environment, path, content }: FileWrite, { user, live }: Used): TouchedDefinition {
  const text = (of: string | Uint8Array) => hash("sha256", of);
  const code = codeHash(content === null ? [] : [{ path, sha256: text(content) }], text);
  const { open, masked } = live.declared;
  const changed = (definition: Definition) => withCodeHash(user.kind, definition, code);
  const after = { open: changed(open), masked: changed(masked) };
  return { environmentId: environment.id, kind: user.kind, name: live.name, after, owner: live.owner };
}

const textOf = (content: Uint8Array | null) =>
  content === null ? null : Buffer.from(content).toString("utf8");
