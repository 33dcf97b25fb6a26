import type { PlanPolicy } from "@lakehelm/contract";
import { usesVariable } from "@lakehelm/policy";
import { canonicalText } from "../../core/changes/canonical-text.ts";
import { forbidden } from "../../core/errors.ts";
import { type EventRow, idOf, subjectKind } from "../../core/store/store.ts";
import type { EnvironmentLookups } from "../../web/http/authorization.ts";
import type { TouchedDefinition, WritePolicies } from "../../web/http/write-policies.ts";
import type { Environments } from "../environments/environments.ts";
import { nodeOf } from "./lineage.ts";
import { findingsOf } from "./plan-policies.ts";
import type { LiveResource, PlannedKind } from "./planned-kind.ts";
import type { createPlanner } from "./planner.ts";
import type { PolicyFacts } from "./policy-facts.ts";

interface JudgeOptions {
  readonly kinds: readonly PlannedKind[];
  readonly planner: ReturnType<typeof createPlanner>;
  readonly environments: Pick<Environments, "read">;
  readonly policies: readonly PlanPolicy[];
  readonly facts: PolicyFacts;
}

/** Policies judge a write that is not part of a plan like a plan with only that change. */
export function judgeWrites({ kinds, planner, environments, policies, facts }: JudgeOptions): WritePolicies {
  // Any resource in the environment may read a table: all are read only if a policy asks for readers or tables.
  const needsOthers = policies.some(({ rule }) =>
    ["downstream", "tables"].some((name) => usesVariable(rule, name)),
  );
  return {
    exist: policies.length > 0,
    async require(touched, context, files = new Map()) {
      if (policies.length === 0 || touched.length === 0) return;
      for (const [environmentId, changes] of Map.groupBy(touched, (one) => one.environmentId)) {
        const { doc: environment } = await environments.read(environmentId);
        const removed = new Set(
          changes.flatMap(({ kind, name, after }) => (after ? [] : [nodeOf(kindNamed(kinds, kind), name)])),
        );
        const about = { environment, project: { name: "" }, context };
        const { steps } = await planner.build({
          ...about,
          resources: changes.flatMap(({ kind, name, after, owner }) =>
            after
              ? [
                  {
                    kind: kindNamed(kinds, kind),
                    name,
                    file: null,
                    definition: after,
                    isDeclared: true,
                    initial: owner === null ? {} : { created_by: owner },
                  },
                ]
              : [],
          ),
          removed,
          isAlone: !needsOthers,
          prune: false,
          withDetails: true,
          files,
        });
        const found = await findingsOf(policies, steps, { ...about, approvals: [], facts });
        const command = `lakehelm apply --env ${environment.name}`;
        for (const { level, policy, message } of found) {
          if (level === "deny") throw forbidden(`The policy ${policy} denies it: ${message}`);
          if (level === "approve") {
            throw forbidden(
              `The policy ${policy} requires an approval by another admin: ${message} Make the change in a project, and run: ${command}`,
            );
          }
        }
      }
    },
  };
}

const kindNamed = (kinds: readonly PlannedKind[], name: string) =>
  (kinds.find(({ kind }) => kind === name) as PlannedKind).kind;

/** One composition of the resources: the state before a write, or in the transaction that tries it. */
export interface Composed {
  readonly planKinds: readonly PlannedKind[];
  readonly environmentsOf: EnvironmentLookups;
}

/** The definitions that differ between two compositions, among those that events of a write name. */
export async function touchedBy(
  events: readonly Pick<EventRow, "subject" | "body">[],
  [before, after]: readonly [Composed, Composed],
  defaultEnvironment: () => Promise<string>,
): Promise<TouchedDefinition[]> {
  const touched: TouchedDefinition[] = [];
  const bySubject = Map.groupBy(events, ({ subject }) => subject);
  for (const [subject, rows] of bySubject) {
    const kindName = subjectKind(subject);
    const kind = after.planKinds.find((one) => one.kind === kindName);
    const former = before.planKinds.find((one) => one.kind === kindName);
    if (!kind || !former) continue;
    const id = idOf(subject);
    const data = rows.map(({ body }) => (JSON.parse(body) as { data: EventData }).data);
    const named = new Set(data.flatMap(({ name, alias }) => name ?? alias ?? []));
    const touchedIn = async (one: PlannedKind, environmentId: string) => {
      if (one.byId) return one.byId(environmentId, id);
      const found = await Promise.all([...named].map((name) => one.find(environmentId, name)));
      return found.find((live) => live !== undefined);
    };
    for (const environmentId of await environmentsIn(kind, id, data, [before, after], defaultEnvironment)) {
      const was = await touchedIn(former, environmentId);
      const is = await touchedIn(kind, environmentId);
      const common = { environmentId, kind: kind.kind };
      if (was && is?.name !== was.name) {
        touched.push({ ...common, name: was.name, after: undefined, owner: was.owner });
      }
      if (is && (was?.name !== is.name || textOf(was) !== textOf(is))) {
        const { open, masked } = is.declared;
        touched.push({ ...common, name: is.name, after: { open, masked }, owner: is.owner });
      }
    }
  }
  return touched;
}

interface EventData {
  readonly environment_id?: string;
  readonly name?: string;
  readonly alias?: string;
}

const textOf = ({ declared }: LiveResource) => canonicalText(declared.open);

async function environmentsIn(
  { kind, isShared }: PlannedKind,
  id: string,
  data: readonly EventData[],
  compositions: readonly Composed[],
  defaultEnvironment: () => Promise<string>,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(compositions.map(({ environmentsOf }) => environmentsOf[kind](id)));
  const ids = new Set([
    ...found.flatMap((one) => one ?? []),
    ...data.flatMap(({ environment_id }) => environment_id ?? []),
  ]);
  // An agent that has no release yet is in no environment, and policies need one.
  return ids.size === 0 && isShared ? new Set([await defaultEnvironment()]) : ids;
}
