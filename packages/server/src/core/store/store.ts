import { encodeJson } from "@lakehelm/contract/schema";
import { Kysely } from "kysely";
import { createSemaphore, type Semaphore } from "../concurrency/semaphore.ts";
import { Problem } from "../errors.ts";
import type { System } from "../system.ts";
import type { ChangeContext, Prepare, Step, StoredChange } from "./change.ts";
import type { Database, SqlValue, Statement } from "./database.ts";
import { createRetries, type Retries, VersionConflict } from "./retries.ts";
import { createStoredQuotas, type QuotaSettings, type StoredQuotas } from "./stored-quotas.ts";
import { createStoredUsage } from "./stored-usage.ts";
import type { Tables } from "./tables.ts";

export type { ChangeContext, Step } from "./change.ts";
export { VersionConflict } from "./retries.ts";

/** A domain event. Its data contains no secret: secrets are masked before. */
export interface DomainEvent {
  readonly kind: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}

/** An event as it is stored with its change: its text, and the MAC of it. */
export interface EventRow {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  readonly mac: string | null;
}

/** A change of state with its events, committed atomically. */
export interface Change {
  readonly context: ChangeContext;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
}

export interface Store extends Retries {
  readonly engine: Database;
  /** Compiles a query once; values are bound at each use. `v` represents the values. */
  readonly prepare: Prepare;
  one<Result>(statement: Statement<Result>): Promise<Result | undefined>;
  all<Result>(statement: Statement<Result>): Promise<Result[]>;
  apply(change: Change): Promise<void>;
  /** On SQLite, searches share one permit, so that many of them do not add up to one long pause. */
  readonly searchPermit: Semaphore;
  /** Throws if a quota would refuse a change that stores this. */
  requireRoom(context: ChangeContext, changes: readonly StoredChange[]): Promise<void>;
  /** Rejects if the last change could not be written and a write still fails, for example on a full disk. */
  checkWrites(): Promise<void>;
  /** Called after each change with events, with the rows that were committed. */
  onEvents(listener: (rows: readonly EventRow[]) => void): void;
  /** Calls the listeners with rows that were committed in a transaction scope. */
  announce(rows: readonly EventRow[]): void;
  /** The length of the longest event written since the start, and how many were shortened. */
  eventUsage(): { readonly used: number; readonly limit: number; readonly refused: number };
  close(): Promise<void>;
}

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** For stores that nobody else writes to. */
const noQuotas: QuotaSettings = {
  PLATFORM_ENVIRONMENTS: 0,
  PLATFORM_RESOURCES_PER_ENVIRONMENT: 0,
  PLATFORM_RECORDS_PER_ENVIRONMENT: 0,
  PLATFORM_STORED_MB_PER_ENVIRONMENT: 0,
  PLATFORM_RESOURCES_PER_CALLER: 0,
  PLATFORM_STORED_MB_PER_CALLER: 0,
  PLATFORM_FILES_COUNT_PER_CALLER: 0,
  PLATFORM_FILES_MB_PER_CALLER: 0,
};

/** `sign` makes the MAC of an event's text: only a process that has the key can write an event. */
export function createStore(
  engine: Database,
  system: Pick<System, "newId" | "monotonicMs" | "randomBytes">,
  sign: (body: string) => string,
  quotas: StoredQuotas = createStoredQuotas(noQuotas),
  retries: Retries = createRetries(system),
): Store {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const listeners: ((rows: readonly EventRow[]) => void)[] = [];
  let longest = 0;
  let shortened = 0;

  let lastWriteFailed = false;

  function announce(rows: readonly EventRow[]): void {
    if (rows.length > 0) for (const listener of listeners) listener(rows);
  }

  const store: Store = {
    engine,
    ...retries,
    searchPermit: createSemaphore(1),
    prepare(build) {
      // Most servers use few of their thousand statements, so each is compiled when it is first used.
      const query = once(() => {
        // Each property read yields a slot, which the compiled query lists among its parameters.
        const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) });
        const { sql, parameters } = build(db, slots as Parameters<typeof build>[1]).compile();
        const names = parameters.map((p) => (p instanceof Slot ? p.name : undefined));
        return { sql, parameters, names };
      });
      return (values) => {
        const { sql, parameters, names } = query();
        return {
          sql,
          parameters: names.map(
            (name, at) => (name === undefined ? parameters[at] : values[name]) as SqlValue,
          ),
        };
      };
    },
    one: <Result>(statement: Statement<Result>) => engine.readOne(statement) as Promise<Result | undefined>,
    all: <Result>(statement: Statement<Result>) => engine.read(statement) as Promise<Result[]>,
    async apply({ context, steps, events }) {
      if (context.role !== undefined && steps.some(({ isTooLarge }) => isTooLarge)) {
        throw new Problem("tooLarge", `A resource has at most ${maxDocumentLength / 1024 / 1024} MB.`);
      }
      const rows = events.map((event) => eventRow(system.newId(), context, event));
      const identity = usage.identityOf(context);
      const isCharged = ({ stored }: Step) =>
        stored?.bytesBefore === undefined || usage.takesOver(context, stored);
      const owned = steps.map((step) =>
        step.chargedTo && isCharged(step) ? { ...step, ...step.chargedTo(identity) } : step,
      );
      const counted = usage.steps(context, steps);
      const refusal = await engine.write([...owned, ...counted, ...rows.map(insertEvent)]).catch((error) => {
        lastWriteFailed = true;
        throw error;
      });
      lastWriteFailed = false;
      if (refusal) {
        const quota = counted[refusal.at - steps.length]?.quota;
        if (quota) throw await usage.problem(quota);
        const step = steps[refusal.at];
        throw step?.refused?.[refusal.why]?.() ?? new VersionConflict(refusal.why, step?.row ?? step?.sql);
      }
      announce(rows);
    },
    requireRoom: (context, changes) => usage.requireRoom(context, changes),
    async checkWrites() {
      if (!lastWriteFailed) return;
      await engine.write([largeRow({ name: writeCheck, owner: "x".repeat(writeCheckLength) })]);
      await engine.write([noLargeRow({ name: writeCheck })]);
      lastWriteFailed = false;
    },
    onEvents: (listener) => void listeners.push(listener),
    announce,
    eventUsage: () => ({ used: longest, limit: maxEventLength, refused: shortened }),
    close: () => engine.close(),
  };

  const usage = createStoredUsage(store, quotas);
  const largeRow = store.prepare((db, v: { name: string; owner: string }) =>
    db
      .insertInto("leases")
      .values({ name: v.name, owner: v.owner, until: "" })
      .onConflict((oc) => oc.column("name").doUpdateSet({ owner: v.owner })),
  );
  const noLargeRow = store.prepare((db, v: { name: string }) =>
    db.deleteFrom("leases").where("name", "=", v.name),
  );
  const insertEvent = store.prepare((db, v: Record<keyof EventRow, string>) =>
    db
      .insertInto("pending_events")
      .values({ id: v.id, kind: v.kind, subject: v.subject, body: v.body, mac: v.mac }),
  );

  function eventRow(
    id: string,
    { actor, requestId, time, plan }: ChangeContext,
    { kind, subject, data: own }: DomainEvent,
  ) {
    const data = plan ? { ...own, plan_id: plan.id, commit: plan.commit } : own;
    const bodyWith = (data: unknown) =>
      encodeJson({ id, time, actor, request_id: requestId, kind, subject, data });
    const whole = bodyWith(data);
    const isTooLong = whole.length > maxEventLength;
    const body = isTooLong ? bodyWith(shortenedData(data)) : whole;
    if (isTooLong) shortened += 1;
    longest = Math.max(longest, body.length);
    return { id, kind, subject, body, mac: sign(body) };
  }

  return store;
}

/**
 * The name and the size of the row that shows whether writing works again. It is as large as the largest request: on a full
 * disk, small changes still fit into space that the database already has.
 */
const writeCheck = "write check";
const writeCheckLength = 1024 * 1024;

/**
 * The longest document of a resource. A body has a megabyte, but resources grow with many requests, and every read and
 * change of one takes time in proportion to its length.
 */
export const maxDocumentLength = 8 * 1024 * 1024;

/** The log keeps events for long: an event has at most about this many characters, whatever a caller sent. */
const maxEventLength = 64 * 1024;
const maxTextLength = 500;
const maxItems = 20;

/** Long texts end with "…", and long lists and maps after 20 items. */
function shortenedData(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    return value.length <= maxTextLength ? value : `${value.slice(0, maxTextLength).toWellFormed()}…`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === 3) return "…";
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => shortenedData(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxItems)
      .map(([key, item]) => [key.slice(0, maxTextLength), shortenedData(item, depth + 1)]),
  );
}

/** The kinds of resources that events, jobs and platform work are about. */
type ResourceKind =
  | "agent"
  | "app"
  | "automation"
  | "connector"
  | "deployment"
  | "environment"
  | "flow"
  | "pipeline"
  | "plan";

/** A resource as events and jobs name it: `connector/<id>`. */
type Subject = `${ResourceKind}/${string}`;

export const subjectOf = (kind: ResourceKind, id: string): Subject => `${kind}/${id}`;

export const subjectKind = (subject: string): string => subject.split("/", 1)[0] ?? "";

/** The id in a subject of any kind, such as `run/<id>`. */
export const idOf = (subject: string): string => subject.slice(subject.indexOf("/") + 1);

export const isSubject = (kind: ResourceKind, subject: string): boolean => subject.startsWith(`${kind}/`);

/** The id in a subject of this kind. A subject of another kind is a bug of ours. */
export function subjectId(kind: ResourceKind, subject: string): string {
  if (!isSubject(kind, subject)) throw new Error(`Expected a subject of the kind ${kind}, got ${subject}.`);
  return subject.slice(kind.length + 1);
}

function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}
