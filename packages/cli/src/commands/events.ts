import type { Event } from "@lakehelm/contract";
import { endpointOf, openSession, type Session } from "../connection/session.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { integerOf } from "../input/integer.ts";
import { type Io, note, write } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { toJson } from "../output/json.ts";
import { printItems } from "../output/print.ts";
import { cellOf } from "../output/table.ts";
import { itemsOf, pagedList } from "../pages.ts";
import { UsageError } from "../usage-error.ts";

interface EventOptions {
  readonly follow?: true;
  readonly kind?: string;
  readonly subject?: string;
  readonly name?: string;
  readonly actor?: string;
  readonly search?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly after?: string;
  readonly limit?: string;
  readonly all?: true;
}

const columns = ["sequence", "time", "kind", "data.name", "actor", "subject"];

export async function events(io: Io, options: EventOptions, globals: GlobalOptions): Promise<void> {
  const output = outputOf(globals);
  const limit = integerOf("--limit", options.limit);
  const after = integerOf("--after", options.after);
  if (options.follow && output.query !== undefined)
    throw new UsageError("--query needs all events: leave out --follow.");
  const session = await openSession(io, globals);
  if (options.follow) return follow(session, options, after, output.output);
  const list = pagedList(endpointOf("readEvents"), "events");
  if (!list) throw new Error("The event log is a list.");
  const { kind, subject, name, actor, search, createdAfter, createdBefore } = options;
  const query = {
    ...{ kind, subject, name, actor, search, after },
    created_after: createdAfter,
    created_before: createdBefore,
    environment: session.connection.environment,
    // After a position, events are shown oldest first; otherwise newest first.
    sort: after === undefined ? "-created" : "created",
  };
  const most = limit ?? (options.all ? Number.POSITIVE_INFINITY : 100);
  const read = async (page: object) =>
    (await session.call("readEvents", { query: { ...page } })).body as Record<string, unknown>;
  const onMore = () => {
    if (limit === undefined) note(io, `These are ${most} events. For more: --limit, or --all.`);
  };
  await printItems(io, itemsOf(list, query, most, read, onMore), output, { columns });
}

/** Follows events from the next one on, unless a position is given. */
async function follow(
  { client, connection: { environment }, io }: Session,
  { kind, subject, name, actor, search, createdAfter, createdBefore }: EventOptions,
  after: number | undefined,
  format: string,
): Promise<void> {
  const others = {
    "--name": name,
    "--actor": actor,
    "--search": search,
    "--created-after": createdAfter,
    "--created-before": createdBefore,
  };
  const wrong = Object.entries(others).find(([, value]) => value !== undefined);
  if (wrong) throw new UsageError(`${wrong[0]} does not work with --follow. Use --kind and --subject.`);
  const position = after ?? (await lastSequence(client, io));
  const followed = client.followEvents({
    after: position,
    signal: io.signal,
    ...(kind !== undefined && { kind }),
    ...(subject !== undefined && { subject }),
    ...(environment !== undefined && { environment }),
  });
  if (format === "json" || format === "yaml") return printItems(io, followed, { output: "jsonl" });
  for await (const event of followed)
    await write(io.stdout, `${format === "jsonl" ? toJson(event, 0) : eventText(event)}\n`);
}

async function lastSequence(client: Session["client"], { signal }: Io): Promise<number> {
  const { events: latest } = await client.readEvents({ query: { sort: "-created", limit: 1 }, signal });
  return latest[0]?.sequence ?? 0;
}

const eventText = ({ sequence, time, kind, data, actor, subject }: Event) =>
  [sequence, time, kind, cellOf(data.name ?? subject), actor]
    .map((value) => oneLine(String(value)))
    .join("  ");
