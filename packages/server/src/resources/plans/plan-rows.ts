import type { PlanFinding, PlanOverview, PlanPolicy, PlanStep } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { sql } from "kysely";
import { turns } from "../../core/concurrency/turns.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { collection, keyOf, type Stored, textOf } from "../../core/store/collection.ts";
import type { Step } from "../../core/store/store.ts";
import { former } from "../../core/store/stored-scopes.ts";
import { uncounted } from "../../core/store/stored-usage.ts";
import type { Tables } from "../../core/store/tables.ts";
import type { DeclaredDefinition, Definition } from "../planned-definition.ts";
import { decrypted } from "./applied-rows.ts";
import type { PlannedFile, PlannedStep } from "./planner.ts";

/** The definition that a step gives to a resource. */
export interface StoredDesign extends DeclaredDefinition {
  readonly initial: Definition;
  readonly codeFiles?: readonly PlannedFile[] | undefined;
}

/** Without `masked` if nothing in the definition is a secret: both may be large. */
type StoredText = Omit<StoredDesign, "masked"> & Partial<Pick<StoredDesign, "masked">>;

const designText = (
  { open, masked }: DeclaredDefinition,
  { initial, codeFiles }: Pick<PlannedStep, "initial" | "codeFiles">,
): string =>
  encodeJson({
    open,
    ...(masked !== open && { masked }),
    initial,
    ...(codeFiles && { codeFiles }),
  } satisfies StoredText);

/** A step as it is stored. */
export interface StoredStep {
  readonly step: PlanStep;
  readonly restsOn: string;
  readonly leadsTo: string;
  readonly definition: string | null;
}

type StepRow = Tables["plan_steps"];

export interface PlanRows {
  readonly rows: ReturnType<typeof collection<PlanOverview>>;
  read(id: string): Promise<Stored<PlanOverview>>;
  /** Steps that store a plan, and its text. Both are as large as the plan, so other requests get turns in between. */
  insert(
    doc: PlanOverview,
    steps: readonly PlannedStep[],
    checks: { readonly policies: readonly PlanPolicy[]; readonly findings: readonly PlanFinding[] },
    withUnchanged: boolean,
  ): Promise<{ readonly steps: Step[]; readonly text: string }>;
  remove(plan: Stored<PlanOverview>): Step[];
  /** The text of the whole plan. */
  text(plan: Stored<PlanOverview>, withUnchanged: boolean): Promise<string>;
  steps(planId: string): Promise<StoredStep[]>;
  design(step: Pick<StoredStep, "definition">): StoredDesign | undefined;
  policies(planId: string): Promise<readonly PlanPolicy[]>;
  findings(planId: string): Promise<readonly PlanFinding[]>;
  setFindings(planId: string, findings: readonly PlanFinding[]): Step;
  setStatus(planId: string, position: number, status: PlanStep["status"], error: string | null): Step;
  /** Marks the step that had begun as failed. */
  interrupt(planId: string, error: string): Step;
  /** Marks all steps that were not reached as skipped. */
  skipRest(planId: string): Step;
  /** Resets skipped and failed steps, so that they are tried again. */
  retryRest(planId: string): Step;
  lock(row: Tables["plan_locks"], taken: () => Error): Step;
  unlock(environmentId: string): Step;
  lockOf(environmentId: string): Promise<Tables["plan_locks"] | undefined>;
  /** Plans of an environment beyond the newest ones. */
  excess(environmentId: string, kept: number): Promise<readonly Stored<PlanOverview>[]>;
  /** For the deletion of an environment: its plans are kept. */
  detach(environmentId: string): Step[];
}

export function createPlanRows({ store, vault }: Dependencies): PlanRows {
  const rows = collection<PlanOverview>(store, "plans");
  const insertStep = store.prepare((db, v: StepRow) =>
    db.insertInto("plan_steps").values({
      plan_id: v.plan_id,
      position: v.position,
      action: v.action,
      status: v.status,
      error: v.error,
      doc: v.doc,
      definition: v.definition,
      rests_on: v.rests_on,
      leads_to: v.leads_to,
    }),
  );
  const insertChecks = store.prepare((db, v: Tables["plan_checks"]) =>
    db.insertInto("plan_checks").values({ plan_id: v.plan_id, policies: v.policies, findings: v.findings }),
  );
  const checks = store.prepare((db, v: { plan_id: string }) =>
    db.selectFrom("plan_checks").select(["policies", "findings"]).where("plan_id", "=", v.plan_id),
  );
  const setFindings = store.prepare((db, v: { plan_id: string; findings: string }) =>
    db.updateTable("plan_checks").set({ findings: v.findings }).where("plan_id", "=", v.plan_id),
  );
  const allSteps = store.prepare((db, v: { plan_id: string }) =>
    db
      .selectFrom("plan_steps")
      .select(["status", "error", "doc", "definition", "rests_on", "leads_to"])
      .where("plan_id", "=", v.plan_id)
      .orderBy("position"),
  );
  const shownSteps = store.prepare((db, v: { plan_id: string }) =>
    db
      .selectFrom("plan_steps")
      .select(["status", "error", "doc"])
      .where("plan_id", "=", v.plan_id)
      .orderBy("position"),
  );
  const changes = store.prepare((db, v: { plan_id: string; unchanged: string }) =>
    db
      .selectFrom("plan_steps")
      .select(["status", "error", "doc"])
      .where("plan_id", "=", v.plan_id)
      .where("action", "!=", v.unchanged)
      .orderBy("position"),
  );
  const setStatus = store.prepare(
    (db, v: { plan_id: string; position: number; status: string; error: string | null }) =>
      db
        .updateTable("plan_steps")
        .set({ status: v.status, error: v.error })
        .where("plan_id", "=", v.plan_id)
        .where("position", "=", v.position),
  );
  const move = store.prepare((db, v: { plan_id: string; from: string; to: string }) =>
    db
      .updateTable("plan_steps")
      .set({ status: v.to, error: null })
      .where("plan_id", "=", v.plan_id)
      .where("status", "=", v.from),
  );
  const interrupt = store.prepare((db, v: { plan_id: string; from: string; to: string; error: string }) =>
    db
      .updateTable("plan_steps")
      .set({ status: v.to, error: v.error })
      .where("plan_id", "=", v.plan_id)
      .where("status", "=", v.from),
  );
  const retry = store.prepare((db, v: { plan_id: string; skipped: string; failed: string; to: string }) =>
    db
      .updateTable("plan_steps")
      .set({ status: v.to, error: null })
      .where("plan_id", "=", v.plan_id)
      .where("status", "in", [v.skipped, v.failed]),
  );
  const insertLock = store.prepare((db, v: Tables["plan_locks"]) =>
    db.insertInto("plan_locks").values({
      environment_id: v.environment_id,
      plan_id: v.plan_id,
      actor: v.actor,
      started_at: v.started_at,
    }),
  );
  const lockIn = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("plan_locks")
      .select(["environment_id", "plan_id", "actor", "started_at"])
      .where("environment_id", "=", v.environment_id),
  );
  const unlock = store.prepare((db, v: { environment_id: string }) =>
    db.deleteFrom("plan_locks").where("environment_id", "=", v.environment_id),
  );
  const olderThan = store.prepare((db, v: { environment_id: string; kept: number }) =>
    db
      .selectFrom("plans")
      .select("id")
      .where("environment_id", "=", v.environment_id)
      .orderBy("position", "desc")
      .offset(v.kept)
      .limit(100),
  );
  const clearEnvironment = store.prepare((db, v: { environment_id: string }) =>
    db.updateTable("plans").set({ environment_id: null }).where("environment_id", "=", v.environment_id),
  );

  const planText = (doc: PlanOverview, steps: readonly string[], findings: string) =>
    `${textOf(doc).slice(0, -1)},"steps":[${steps.join(",")}],"findings":${findings}}`;
  const stepText = ({ doc, status, error }: Pick<StepRow, "doc" | "status" | "error">) =>
    `${doc.slice(0, -1)},"status":${encodeJson(status)},"error":${encodeJson(error)}}`;

  /** Stored usage: subtracts the rows of a plan that never change while it exists. */
  const uncount = uncounted(store, "plans", (eb, v: { id: string }) => ({
    n: sql.lit(0),
    bytes: sql<number>`(${eb
      .selectFrom("plan_steps")
      .select(
        sql<number>`coalesce(sum(octet_length(doc) + coalesce(octet_length(definition), 0)), 0)`.as("n"),
      )
      .where("plan_id", "=", v.id)} + coalesce((${eb
      .selectFrom("plan_checks")
      .select((row) => row.fn<number>("octet_length", ["policies"]).as("n"))
      .where("plan_id", "=", v.id)}), 0))`,
    scopes: sql<string>`select coalesce('environment/' || environment_id, ${sql.lit(former)}) from plans where id = ${v.id}
      union all select 'caller/' || charged_to from plans where id = ${v.id} and charged_to is not null`,
  }));

  return {
    rows,
    async read(id) {
      const found = await rows.get(id);
      if (!found) throw notFound(`There is no plan ${id}.`);
      return found;
    },
    async insert(doc, planned, { policies, findings }, withUnchanged) {
      const { id, environment_id: environmentId } = doc;
      const fresh = { id, key: keyOf(id), doc, environmentId, owner: null, state: null, sealed: null };
      const found = encodeJson(findings);
      const checks = { plan_id: id, policies: encodeJson(policies), findings: found };
      const stored = (bytes: number) => ({ kind: "plans", environmentId, n: 0, bytes }) as const;
      const steps: Step[] = [
        ...rows.insert(fresh, { referenced: () => conflict("The environment no longer exists.") }),
        { ...insertChecks(checks), stored: stored(Buffer.byteLength(checks.policies)) },
      ];
      const texts: string[] = [];
      const turn = turns();
      for (const { step: planStep, desired, restsOn, leadsTo, ...rest } of planned) {
        const { status, error, ...step } = planStep;
        await turn();
        const text = encodeJson(step);
        if (withUnchanged || step.action !== "none") texts.push(stepText({ doc: text, status, error }));
        await turn();
        const row = {
          plan_id: id,
          position: step.position,
          action: step.action,
          status,
          error,
          doc: text,
          definition: desired ? vault.encrypt(designText(desired, rest)) : null,
          rests_on: restsOn,
          leads_to: leadsTo,
        };
        const bytes = Buffer.byteLength(text) + Buffer.byteLength(row.definition ?? "");
        steps.push({ ...insertStep(row), stored: stored(bytes) });
      }
      return { steps, text: planText(doc, texts, found) };
    },
    remove: (plan) => [uncount({ id: plan.id }), ...rows.remove(plan)],
    async text({ id, doc }, withUnchanged) {
      const found = await store.all(
        withUnchanged ? shownSteps({ plan_id: id }) : changes({ plan_id: id, unchanged: "none" }),
      );
      const checked = await store.one(checks({ plan_id: id }));
      return planText(doc, found.map(stepText), checked?.findings ?? "[]");
    },
    async steps(planId) {
      const found = await store.all(allSteps({ plan_id: planId }));
      return found.map((row) => ({
        step: JSON.parse(stepText(row)) as PlanStep,
        restsOn: row.rests_on,
        leadsTo: row.leads_to,
        definition: row.definition,
      }));
    },
    design({ definition }) {
      if (definition === null) return undefined;
      const design = decrypted(vault, definition) as StoredText;
      return { masked: design.open, ...design };
    },
    async policies(planId) {
      const found = await store.one(checks({ plan_id: planId }));
      return found ? (JSON.parse(found.policies) as PlanPolicy[]) : [];
    },
    async findings(planId) {
      const found = await store.one(checks({ plan_id: planId }));
      return found ? (JSON.parse(found.findings) as PlanFinding[]) : [];
    },
    setFindings: (planId, findings) => setFindings({ plan_id: planId, findings: encodeJson(findings) }),
    setStatus: (planId, position, status, error) => ({
      ...setStatus({ plan_id: planId, position, status, error }),
      expect: 1,
    }),
    interrupt: (planId, error) => interrupt({ plan_id: planId, from: "applying", to: "failed", error }),
    skipRest: (planId) => move({ plan_id: planId, from: "pending", to: "skipped" }),
    retryRest: (planId) => retry({ plan_id: planId, skipped: "skipped", failed: "failed", to: "pending" }),
    lock: (row, taken) => ({ ...insertLock(row), refused: { duplicate: taken } }),
    unlock: (environmentId) => unlock({ environment_id: environmentId }),
    lockOf: (environmentId) => store.one(lockIn({ environment_id: environmentId })),
    async excess(environmentId, kept) {
      const found = await store.all(olderThan({ environment_id: environmentId, kept }));
      const plans = await Promise.all(found.map(({ id }) => rows.get(id)));
      return plans.filter(
        (plan) => plan !== undefined && plan.doc.status !== "applying",
      ) as Stored<PlanOverview>[];
    },
    detach: (environmentId) => [
      clearEnvironment({ environment_id: environmentId }),
      ...rows.forgetList({ environmentId }),
    ],
  };
}
