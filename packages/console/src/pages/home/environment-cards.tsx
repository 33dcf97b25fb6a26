import type { Job, RefusedResource, Run, TableFreshness } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import type { SessionEnvironment } from "../../app/session.ts";
import { count } from "../../format/number.ts";
import { Status } from "../../ui/status.tsx";

interface EnvironmentCardsProps {
  readonly environments: readonly SessionEnvironment[];
  readonly jobs: readonly Job[];
  readonly runs: readonly Run[];
  readonly tables: readonly TableFreshness[];
  readonly refused: readonly RefusedResource[];
  /** The total number; `refused` has only the first ones. */
  readonly refusedTotal: number;
}

/** The health of every environment in one line each. */
export function EnvironmentCards(props: EnvironmentCardsProps): VNode {
  const { environments, jobs, runs, tables, refused, refusedTotal } = props;
  return (
    <ul class="cards">
      {environments.map((environment) => {
        const own = jobs.filter(({ environment_id }) => environment_id === environment.id);
        const recent = runs.filter(({ environment_id }) => environment_id === environment.id);
        const failing = own.filter(({ failures }) => failures > 0).length;
        const inactive = refused.filter(({ environment_id }) => environment_id === environment.id).length;
        const more = refused.length < refusedTotal ? "+" : "";
        const paused = own.filter((job) => job.paused).length;
        const running = recent.filter(({ status }) => status === "running").length;
        const late = tables.filter(
          ({ environment_id, is_late }) => is_late && environment_id === environment.id,
        ).length;
        const state = !environment.is_active
          ? "inactive"
          : failing + inactive > 0
            ? "failing"
            : own.length === 0
              ? "empty"
              : "healthy";
        return (
          <li key={environment.id} class="card">
            <header>
              <h2 class="grow clip">
                <a class="plain" href={hrefOf(`/?env=${encodeURIComponent(environment.name)}`)}>
                  {environment.name}
                </a>
              </h2>
              {environment.protected && (
                <span class="faint" title="Only its admins may change what is in it.">
                  protected
                </span>
              )}
              <Status value={state} />
            </header>
            <dl class="numbers body">
              <Figure name="Jobs" value={own.length} />
              <Figure name="Running" value={running} tone={running > 0 ? "busy" : ""} />
              <Figure name="Failing" value={failing} tone={failing > 0 ? "bad" : ""} />
              {inactive > 0 && <Figure name="Refused" value={inactive} more={more} tone="bad" />}
              <Figure name="Late" value={late} tone={late > 0 ? "warn" : ""} />
              <Figure name="Paused" value={paused} tone={paused > 0 ? "held" : ""} />
            </dl>
          </li>
        );
      })}
    </ul>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number;
  readonly tone?: string;
  /** `+`: there are more than were counted. */
  readonly more?: string;
}

function Figure({ name, value, tone = "", more = "" }: FigureProps): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={`number ${tone}`}>{`${count(value)}${more}`}</dd>
    </div>
  );
}
