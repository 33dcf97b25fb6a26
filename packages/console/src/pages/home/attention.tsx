import type { DownstreamItem, RefusedResource } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { queryClient, useAction } from "../../app/queries.ts";
import { hrefOf } from "../../app/router.ts";
import { actionsOf } from "../../data/job-actions.ts";
import { pathOfJob } from "../../data/targets.ts";
import { count, counted } from "../../format/number.ts";
import { clockMinutes, isOfToday } from "../../format/time.ts";
import { Affected } from "../../ui/affected.tsx";
import { Button } from "../../ui/button.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { type AttentionItem, mostShown, shownOf } from "./attention-items.ts";

const mostOfKind = 4;

interface AffectedByJob {
  readonly items: readonly DownstreamItem[];
  readonly items_total: number;
}

interface AttentionProps {
  readonly items: readonly AttentionItem[];
  readonly refused: readonly RefusedResource[];
  /** The total number; `refused` has only the first ones. */
  readonly refusedTotal: number;
  /** The resources that a failing job affects, by the id of the job. */
  readonly affected: ReadonlyMap<string, AffectedByJob>;
}

export function Attention({ items, refused, refusedTotal, affected }: AttentionProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const total = items.length + refusedTotal;
  const listed = items.length + refused.length;
  const shown = shownOf(items, refused, isWhole);
  const isCut = shown.failing.length + shown.refused.length + shown.others.length < listed;
  const itemOf = (item: AttentionItem) => (
    <Item key={`${item.what} ${item.job.id}`} item={item} affects={affected.get(item.job.id)} />
  );
  return (
    <section class="card" aria-labelledby="attention">
      <header>
        <h2 id="attention">Needs attention</h2>
        <span class="faint number">{count(total)}</span>
      </header>
      {total === 0 ? (
        <p class="body soft">Nothing fails, nothing is late, nothing is paused.</p>
      ) : (
        <ul class="items">
          {shown.failing.map(itemOf)}
          {shown.refused.map((one) => (
            <Refused key={one.id} {...one} />
          ))}
          {shown.refused.length < refusedTotal && <AllRefused refused={refused} total={refusedTotal} />}
          {shown.others.map(itemOf)}
        </ul>
      )}
      {!isWhole && isCut && (
        <p class="body">
          <Button onClick={() => setWhole(true)}>
            Show {listed > mostShown || listed < total ? "more" : `all ${total}`}
          </Button>
        </p>
      )}
      {isWhole && items.length > shown.failing.length + shown.others.length && (
        <p class="body faint">
          {count(items.length - shown.failing.length - shown.others.length)} more jobs need attention. Choose
          an environment.
        </p>
      )}
    </section>
  );
}

/** A line for all refused resources, because the list shows only some of them. */
function AllRefused({ refused, total }: { refused: readonly RefusedResource[]; total: number }): VNode {
  const kinds = ["flow", "connector"].filter((kind) => refused.some((one) => one.kind === kind));
  return (
    <li>
      <div class="row wrap">
        <Status value="failed" />
        <strong>
          {counted(total, "resource")} {total === 1 ? "was" : "were"} refused by the platform
        </strong>
        {kinds.map((kind) => (
          <a key={kind} href={hrefOf(`/${kind}s?status=failed`)}>
            See the refused {kind}s
          </a>
        ))}
      </div>
    </li>
  );
}

/** A resource whose definition must be repaired. It has no job to run. */
function Refused({ kind, id, name, environment_id, error_message }: RefusedResource): VNode {
  return (
    <li>
      <div class="row">
        <Status value="failed" />
        <a class="plain clip" href={hrefOf(`/${kind}s/${id}`)}>
          <strong>{name}</strong>
        </a>
        <span class="faint">
          {kind} in {environmentNameOf(environment_id)}, refused by the platform
        </span>
      </div>
      <p class="cause">{error_message ?? "The platform refused it and did not say why."}</p>
    </li>
  );
}

interface ItemProps {
  readonly item: AttentionItem;
  readonly affects: AffectedByJob | undefined;
}

function Item({ item: { job, what, cause, since, until, runId }, affects }: ItemProps): VNode {
  const path = pathOfJob(job.id, job.name);
  const why = whyNot("operator", job.environment_id);
  const { run, resume } = actionsOf(job);
  const act = useAction(async () => {
    if (what === "paused") await resume?.();
    else await run();
    void queryClient.invalidateQueries();
    notify(what === "paused" ? `${job.name} is active again.` : `${job.name} was started.`);
  });
  return (
    <li>
      <div class="row wrap">
        <Status value={what} />
        {path ? (
          <a class="plain clip" href={hrefOf(path)}>
            <strong>{job.name}</strong>
          </a>
        ) : (
          <strong class="clip">{job.name}</strong>
        )}
        <span class="faint">
          {job.kind} in {environmentNameOf(job.environment_id)}
        </span>
        <span class="grow" />
        {since && (
          <span class="faint">
            {what === "failing" &&
              `${counted(job.failures, "failure")}${job.failures > 1 ? ", the first" : ""} `}
            <Time at={since} />
            {isOfToday(since) && `, ${clockMinutes(since)}`}
          </span>
        )}
      </div>
      <p class={what === "failing" ? "cause" : "soft"}>
        {cause}
        {until && (
          <>
            {" "}
            Until <Time at={until} absolute />.
          </>
        )}
        {what === "paused" && !until && " Until somebody resumes it."}
      </p>
      {act.error && <p class="cause">{act.error.message}</p>}
      {affects && affects.items.length > 0 && (
        <div class="affects">
          <span class="faint">Affects</span>
          <Affected
            items={affects.items}
            total={affects.items_total}
            most={mostOfKind}
            environment={environmentNameOf(job.environment_id)}
          />
        </div>
      )}
      <div class="row">
        <Button onClick={() => void act.run()} isBusy={act.isRunning} whyNot={why}>
          {what === "paused" ? "Resume" : "Run now"}
        </Button>
        {runId && (
          <a class="button" href={hrefOf(`/runs/${runId}`)}>
            {what === "failing" ? "See why" : "Open the run"}
          </a>
        )}
      </div>
    </li>
  );
}
