import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { encodeJson } from "@lakehelm/contract/schema";
import { type Compilable, Kysely } from "kysely";
import { backoffMs } from "../concurrency/backoff.ts";
import { createKeyedMutex } from "../concurrency/keyed-mutex.ts";
import { conflict, Problem } from "../errors.ts";
import type { Database, Refusal, SqlValue, Statement } from "./database.ts";
import type { Tables } from "./tables.ts";

/** A domain event. Its data contains no secret: secrets are masked before. */
export interface DomainEvent {
  readonly kind: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}

/** Who makes a change, in which request, and when. */
export interface ChangeContext {
  readonly actor: string;
  /** The caller's role in the environment of the request. Absent for changes that the server makes by itself. */
  readonly role?: string;
  /** The caller's role on the whole server, which a role in one environment does not give. Absent as `role`. */
  readonly serverRole?: string;
  readonly requestId: string | null;
  readonly time: string;
  /** The plan that the change is part of: its events name it. */
  readonly plan?: { readonly id: string; readonly commit: string | null };
}

/** An event as it is stored with its change: its text, and the MAC of it. */
export interface EventRow {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  readonly mac: string | null;
}

/** A statement, and the error for the caller if it is refused. Without one, the rule is retried. */
export interface Step extends Statement {
  /** It stores a document beyond the limit: refused, unless the server records something in it by itself. */
  readonly isTooLarge?: boolean;
  readonly refused?: Partial<Record<Refusal["why"], () => Error>>;
  /** The row that it changes, if that must be as it was read: `connectors/<id>`. */
  readonly row?: string;
}

/** A change of state with its events, committed atomically. */
export interface Change {
  readonly context: ChangeContext;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
}

/** The rows that a rule read have changed since. `retryOnConflict` runs the rule again on the current rows. */
export class VersionConflict extends Error {
  /** Which row, or which kind of change: rules that conflict about the same are retried one after the other. */
  readonly about: string;
  constructor(why = "", about = "") {
    super(why);
    this.about = about;
  }
}

export interface Store {
  readonly engine: Database;
  /** Compiles a query once; values are bound at each use. `v` represents the values. */
  prepare<Values extends Record<string, SqlValue>, Result>(
    build: (db: Kysely<Tables>, v: Values) => Compilable<Result>,
  ): (values: Values) => Statement<Result>;
  one<Result>(statement: Statement<Result>): Promise<Result | undefined>;
  all<Result>(statement: Statement<Result>): Promise<Result[]>;
  apply(change: Change): Promise<void>;
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

/** `sign` makes the MAC of an event's text: only a process that has the key can write an event. */
export function createStore(engine: Database, newId: () => string, sign: (body: string) => string): Store {
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
      const rows = events.map((event) => eventRow(newId(), context, event));
      const refusal = await engine.write([...steps, ...rows.map(insertEvent)]).catch((error) => {
        lastWriteFailed = true;
        throw error;
      });
      lastWriteFailed = false;
      if (refusal) {
        const step = steps[refusal.at];
        throw step?.refused?.[refusal.why]?.() ?? new VersionConflict(refusal.why, step?.row ?? step?.sql);
      }
      announce(rows);
    },
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

/** The log keeps events forever: one is at most about this long, whatever a caller sent. */
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

/** How long a rule is retried. */
const patienceMs = 10_000;
const longestPauseSeconds = 0.25;

const turns = createKeyedMutex();
const hasTurn = new AsyncLocalStorage<true>();

/**
 * Runs a rule that reads, decides and applies. After a version conflict it is retried: within this server one rule per row
 * at a time, in the order of the conflicts; between servers with growing, random pauses.
 */
export async function retryOnConflict<Result>(rule: () => Promise<Result>): Promise<Result> {
  try {
    return await rule();
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const end = performance.now() + patienceMs;
    // A rule that runs within the turn of another must not wait for a second turn: two such rules could wait for each other.
    if (hasTurn.getStore()) return retry(rule, end);
    return turns.run(error.about, () => hasTurn.run(true, () => retry(rule, end)));
  }
}

/**
 * Runs work whose rules never wait for the turn of another rule, which might wait for the transaction that this work holds
 * open.
 */
export const withoutTurns = <Result>(work: () => Promise<Result>): Promise<Result> => hasTurn.run(true, work);

async function retry<Result>(rule: () => Promise<Result>, end: number): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await rule();
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
    if (performance.now() > end) throw conflict("Too many concurrent changes. Try again.");
    await pause(backoffMs(failures, 0.002, longestPauseSeconds, Math.random));
  }
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

/** The kind of resource in a subject. */
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
