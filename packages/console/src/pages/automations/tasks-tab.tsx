import type { Automation, Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { hrefOf, place, setQuery } from "../../app/router.ts";
import { Graph } from "../../graph/graph.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { type Task, tasksOf } from "./definition.ts";

/** The state of a task in the last run. */
interface TaskRun {
  readonly name: string;
  readonly status: string;
  readonly error?: string | null;
  readonly reason?: string | null;
  readonly started_at?: string | null;
}

/** The tasks as a graph, with their states in the last run. */
export function TasksTab({
  automation,
  lastRun,
}: {
  automation: Automation;
  lastRun?: Run | undefined;
}): VNode {
  const tasks = tasksOf(automation);
  const states = new Map(
    ((lastRun?.metrics.tasks ?? []) as readonly TaskRun[]).map((one) => [one.name, one]),
  );
  const chosen = tasks.find(({ name }) => name === place.value.query.get("task"));
  const edges = useMemo(
    () => tasks.flatMap(({ name, depends_on }) => (depends_on ?? []).map((from) => ({ from, to: name }))),
    [automation],
  );
  if (tasks.length === 0)
    return (
      <EmptyState
        title="It has no tasks yet"
        action={<a href={hrefOf(`${place.value.path}?tab=definition`)}>Write its definition</a>}
      >
        The definition says what to run, in which order, and when.
      </EmptyState>
    );
  return (
    <div class="task-graph">
      <Graph
        label="Tasks"
        nodes={tasks.map((task) => ({
          id: task.name,
          title: task.name,
          note: noteOf(task),
          status: states.get(task.name)?.status,
        }))}
        edges={edges}
        chosen={chosen?.name}
        onChoose={(task) => setQuery({ task })}
      />
      {chosen ? (
        <TaskFacts task={chosen} state={states.get(chosen.name)} runId={lastRun?.id} />
      ) : (
        <p class="card task-facts body faint">Choose a task to see what it does.</p>
      )}
    </div>
  );
}

const noteOf = ({ kind, reference }: Task): string => (reference ? `${kind} ${reference}` : kind);

interface TaskFactsProps {
  readonly task: Task;
  readonly state: TaskRun | undefined;
  readonly runId: string | undefined;
}

function TaskFacts({ task, state, runId }: TaskFactsProps): VNode {
  const text = task.query ?? task.url ?? task.script ?? task.command?.join(" ");
  return (
    <section class="card task-facts" aria-label={`Task ${task.name}`}>
      <header>
        <h2>{task.name}</h2>
        {state && <Status value={state.status} />}
      </header>
      <div class="body stack">
        {state?.error && <p class="cause">{state.error}</p>}
        {state?.reason && <p class="soft">{state.reason}</p>}
        <dl class="facts">
          <dt>Kind</dt>
          <dd>{noteOf(task)}</dd>
          <dt>After</dt>
          <dd>{task.depends_on?.join(", ") || "–"}</dd>
          {task.run_if && task.run_if !== "all_success" && (
            <>
              <dt>Runs if</dt>
              <dd>{task.run_if.replaceAll("_", " ")}</dd>
            </>
          )}
          <dt>Retries</dt>
          <dd>{task.retries ?? 0}</dd>
          {state?.started_at && runId && (
            <>
              <dt>Last run</dt>
              <dd>
                <a href={hrefOf(`/runs/${runId}`)}>
                  <Time at={state.started_at} />
                </a>
              </dd>
            </>
          )}
        </dl>
        {text && (
          <pre class="text" tabIndex={0}>
            {text}
          </pre>
        )}
      </div>
    </section>
  );
}
