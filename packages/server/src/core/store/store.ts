import { encodeJson } from "@lakehelm/contract/schema";
import { type Compilable, Kysely } from "kysely";
import { conflict } from "../errors.ts";
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
  readonly requestId: string | null;
  readonly time: string;
}

/** A statement, and the error for the caller if it is refused. Without one, the rule is retried. */
export interface Step extends Statement {
  readonly refused?: Partial<Record<Refusal["why"], () => Error>>;
}

/** A change of state with its events, committed atomically. */
export interface Change {
  readonly context: ChangeContext;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
}

/** The rows that a rule read have changed since. `retryOnConflict` runs the rule again on the current rows. */
export class VersionConflict extends Error {}

export interface Store {
  readonly engine: Database;
  /** Compiles a query once; values are bound at each use. `v` represents the values. */
  prepare<Values extends Record<string, SqlValue>, Result>(
    build: (db: Kysely<Tables>, v: Values) => Compilable<Result>,
  ): (values: Values) => Statement<Result>;
  one<Result>(statement: Statement<Result>): Promise<Result | undefined>;
  all<Result>(statement: Statement<Result>): Promise<Result[]>;
  apply(change: Change): Promise<void>;
  /** Called after each change with events. */
  onEvents(listener: () => void): void;
  close(): Promise<void>;
}

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export function createStore(engine: Database, newId: () => string): Store {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const listeners: (() => void)[] = [];

  const store: Store = {
    engine,
    prepare(build) {
      // Each property read yields a slot, which the compiled query lists among its parameters.
      const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) });
      const { sql, parameters } = build(db, slots as Parameters<typeof build>[1]).compile();
      const names = parameters.map((p) => (p instanceof Slot ? p.name : undefined));
      return (values) => ({
        sql,
        parameters: names.map((name, at) => (name === undefined ? parameters[at] : values[name]) as SqlValue),
      });
    },
    one: <Result>(statement: Statement<Result>) => engine.readOne(statement) as Promise<Result | undefined>,
    all: <Result>(statement: Statement<Result>) => engine.read(statement) as Promise<Result[]>,
    async apply({ context, steps, events }) {
      const inserts = events.map((event) => insertEvent(eventRow(newId(), context, event)));
      const refusal = await engine.write([...steps, ...inserts]);
      if (refusal) throw steps[refusal.at]?.refused?.[refusal.why]?.() ?? new VersionConflict(refusal.why);
      if (events.length > 0) for (const listener of listeners) listener();
    },
    onEvents: (listener) => void listeners.push(listener),
    close: () => engine.close(),
  };

  const insertEvent = store.prepare((db, v: { id: string; kind: string; subject: string; body: string }) =>
    db.insertInto("pending_events").values({ id: v.id, kind: v.kind, subject: v.subject, body: v.body }),
  );

  return store;
}

function eventRow(
  id: string,
  { actor, requestId, time }: ChangeContext,
  { kind, subject, data }: DomainEvent,
) {
  const body = encodeJson({ id, time, actor, request_id: requestId, kind, subject, data });
  return { id, kind, subject, body };
}

const tries = 10;

/** Runs a rule that reads, decides and applies. Retries it after a version conflict. */
export async function retryOnConflict<Result>(rule: () => Promise<Result>): Promise<Result> {
  for (let n = 1; n <= tries; n++) {
    try {
      return await rule();
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
  throw conflict("Too many concurrent changes. Try again.");
}
