import type { PlanKind } from "@lakehelm/contract";
import { changesBetween } from "../../core/changes/field-changes.ts";
import { conflict } from "../../core/errors.ts";
import type { EventHistory } from "../../core/events/history.ts";
import type { DriftRecord } from "../drift/drift-record.ts";
import type { Comparison, Difference, DriftSource } from "../drift/source.ts";
import type { Environments } from "../environments/environments.ts";
import type { AppliedResource, AppliedRows } from "./applied-rows.ts";
import { lastChangeOf } from "./last-change.ts";
import type { PlanRows } from "./plan-rows.ts";
import type { LiveResource, PlannedKind } from "./planned-kind.ts";

interface ProjectDriftOptions {
  readonly kinds: readonly PlannedKind[];
  readonly applied: AppliedRows;
  readonly rows: Pick<PlanRows, "lockOf">;
  readonly environments: Pick<Environments, "actIn">;
  readonly history: Pick<EventHistory, "page">;
  /** Seals every event that is committed by now: the history has only sealed events. */
  readonly sealEvents: () => Promise<void>;
  readonly digest: (value: unknown) => string;
  readonly settle: DriftRecord["settle"];
}

/** How many resources are compared field by field in one comparison. */
const maxDetailed = 500;
const adoption = {
  problem: "A project declares it: write it into the project and apply that, or revert it here.",
} as const;

/** Finds resources that differ from what a project applied last, because they were changed through the API. */
export function projectSource(options: ProjectDriftOptions): DriftSource {
  const { kinds, applied, rows, environments, history, sealEvents, digest, settle } = options;

  async function compareOne(environmentId: string, signal: AbortSignal): Promise<Comparison> {
    const last = await applied.inEnvironment(environmentId);
    const isBusy = (await rows.lockOf(environmentId)) !== undefined;
    const differences: Difference[] = [];
    const undecided = new Set<string>();
    let looked = 0;
    let isSealed = false;
    for (const kind of kinds) {
      signal.throwIfAborted();
      const own = [...last.values()].filter((row) => row.kind === kind.kind);
      if (own.length === 0) continue;
      const names = own.map(({ name }) => name);
      const live = new Map((await kind.live(environmentId, names)).map((one) => [one.name, one]));
      for (const row of own) {
        const now = live.get(row.name);
        const subject = subjectOf(kind.kind, row.name, now);
        if (now && digest(now.declared.open) === row.digest) continue;
        // A plan is being applied, or too many resources differ.
        if (isBusy || ++looked > maxDetailed) {
          undecided.add(subject);
          continue;
        }
        // The event of a change that was made just now is committed with it, but may not be sealed.
        if (!isSealed) await sealEvents();
        isSealed = true;
        differences.push(
          ...(await differencesOf(environmentId, { kind: kind.kind, name: row.name }, subject, now)),
        );
      }
    }
    return { differences, undecided };
  }

  async function differencesOf(
    environmentId: string,
    { kind, name }: Pick<AppliedResource, "name"> & { readonly kind: PlanKind },
    subject: Difference["subject"],
    live: LiveResource | undefined,
  ): Promise<Difference[]> {
    const about = { environmentId, kind, name, subject: live && subject };
    const by = (await lastChangeOf(history, about, { ofPlans: false }))?.actor ?? null;
    if (!live) {
      return [{ subject, name, change: "gone", field: null, declared: null, live: null, adoption, by }];
    }
    const before = await applied.definition(environmentId, kind, name);
    if (!before) return [];
    return changesBetween(before, live.declared).map(({ path, before: declared, after }) => ({
      subject,
      name,
      change: "changed",
      field: path,
      declared,
      live: after,
      adoption,
      by,
    }));
  }

  return {
    name: "project",
    environments: applied.environments,
    async compare(environmentIds, signal) {
      const found = new Map<string, Comparison>();
      for (const id of environmentIds) found.set(id, await compareOne(id, signal));
      return found;
    },
    adopt: () => Promise.reject(conflict(adoption.problem)),
    async revert({ drift }, { context }) {
      const { environment_id: environmentId, name, resource } = drift;
      const kind = kinds.find((one) => one.kind === drift.kind);
      const before = await applied.definition(environmentId, drift.kind, name);
      if (!kind || !before) throw conflict(`No project has applied ${drift.kind} ${name} any more.`);
      if (await rows.lockOf(environmentId)) throw conflict("A plan is being applied to this environment.");
      const env = await environments.actIn(environmentId);
      const call = { context, project: { commit: null, branch: null } };
      const live = await kind.find(environmentId, name);
      if (live) await kind.update(live, before.open, env, call);
      else await kind.create(before.open, env, call);
      const after = await kind.find(environmentId, name);
      if (after?.problem) throw conflict(after.problem);
      await settle("project", environmentId, resource, () => false);
    },
  };
}

/** Automations are named by their alias, and a resource that is gone by its name. */
const subjectOf = (kind: PlanKind, name: string, live: LiveResource | undefined): Difference["subject"] =>
  `${kind}/${kind === "automation" || !live ? name : live.id}`;
