import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import { hrefOf } from "../../app/router.ts";
import { refreshRuns } from "../../data/runs.ts";
import { pathOfJob } from "../../data/targets.ts";
import { Button } from "../../ui/button.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import type { AttentionItem } from "./attention-items.ts";

const most = 50;

export function Attention({ items }: { items: readonly AttentionItem[] }): VNode {
  return (
    <section class="card" aria-labelledby="attention">
      <header>
        <h2 id="attention">Needs attention</h2>
        <span class="faint number">{items.length}</span>
      </header>
      {items.length === 0 ? (
        <p class="body soft">Nothing fails, nothing is late, nothing is paused.</p>
      ) : (
        <ul class="items">
          {items.slice(0, most).map((item) => (
            <Item key={`${item.what} ${item.job.id}`} item={item} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ item: { job, what, cause, since, runId } }: { item: AttentionItem }): VNode {
  const path = pathOfJob(job.id);
  const why = whyNot("operator", job.environment_id);
  const run = useAction(async () => {
    const parameters = { job_id: job.id };
    await api.runJob({
      params: parameters,
      body: { reason: "from the console" },
      idempotencyKey: crypto.randomUUID(),
    });
    refreshRuns();
    notify(`${job.name} was started.`);
  });
  return (
    <li>
      <div class="row">
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
            since <Time at={since} />
          </span>
        )}
      </div>
      <p class={what === "failing" ? "cause" : "soft"}>{run.error?.message ?? cause}</p>
      <div class="row">
        {runId && (
          <a class="button" href={hrefOf(`/runs/${runId}`)}>
            See why
          </a>
        )}
        {what !== "paused" && (
          <Button onClick={() => void run.run()} isBusy={run.isRunning} whyNot={why}>
            Run now
          </Button>
        )}
        {what === "paused" && path && (
          <a class="button" href={hrefOf(path)}>
            Open
          </a>
        )}
      </div>
    </li>
  );
}
