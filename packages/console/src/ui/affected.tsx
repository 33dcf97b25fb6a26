import type { DownstreamItem } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../app/router.ts";
import { pathOfJob, pathOfTable } from "../data/targets.ts";
import { counted } from "../format/number.ts";

const kinds: readonly DownstreamItem["kind"][] = [
  "table",
  "pipeline",
  "flow",
  "connector",
  "automation",
  "app",
  "agent",
];

interface AffectedProps {
  readonly items: readonly DownstreamItem[];
  readonly total: number;
  /** The number of items shown for each kind; further items are counted. */
  readonly most: number;
  /** The name of the items' environment. */
  readonly environment: string;
}

/** The resources that a failure affects, by kind: tables first, then the resources that read them. */
export function Affected({ items, total, most, environment }: AffectedProps): VNode {
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  const found = kinds.flatMap((kind) => {
    const some = byKind.get(kind);
    return some ? [{ kind, some }] : [];
  });
  return (
    <dl class="facts affected" aria-label="Affects">
      {found.map(({ kind, some }) => (
        <>
          <dt key={`${kind} title`}>{counted(some.length, kind)}</dt>
          <dd key={kind}>
            {some.slice(0, most).map((item, at) => (
              <span key={item.name}>
                {at > 0 && ", "}
                <Item item={item} environment={environment} />
              </span>
            ))}
            {some.length > most && <span class="faint"> and {some.length - most} more</span>}
          </dd>
        </>
      ))}
      {total > items.length && (
        <>
          <dt>Altogether</dt>
          <dd>{total}</dd>
        </>
      )}
    </dl>
  );
}

interface ItemProps extends Pick<AffectedProps, "environment"> {
  readonly item: DownstreamItem;
}

function Item({ item: { kind, name, job_id, via }, environment }: ItemProps): VNode {
  const path =
    kind === "table" ? pathOfTable(name, environment) : job_id === null ? undefined : pathOfJob(job_id, name);
  const text = kind === "table" ? <code>{name}</code> : name;
  return path ? (
    <a href={hrefOf(path)} title={via}>
      {text}
    </a>
  ) : (
    <span title={via}>{text}</span>
  );
}
