import type { Agent, AgentComponent } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { queryClient, useAction } from "../../app/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { type ComponentName, componentHints, componentNames, componentTexts } from "./texts.ts";

/** The components of an agent in one environment: desired state, observed state, and the reason. */
export function Components({ agent, environment }: { agent: Agent; environment: EnvironmentOf }): VNode {
  return (
    <ul class="items card" aria-label={`Components in ${environment.name}`}>
      {componentNames.map((name) => (
        <Component
          key={name}
          agent={agent}
          environment={environment}
          name={name}
          state={agent.components.find(
            (one) => one.component === name && one.environment_id === environment.id,
          )}
        />
      ))}
    </ul>
  );
}

interface EnvironmentOf {
  readonly id: string;
  readonly name: string;
}

interface ComponentProps {
  readonly agent: Agent;
  readonly environment: EnvironmentOf;
  readonly name: ComponentName;
  readonly state: AgentComponent | undefined;
}

function Component({ agent, environment, name, state }: ComponentProps): VNode {
  const title = componentTexts[name];
  const why = whyNot("operator", environment.id);
  const desired = state?.desired_state ?? "stopped";
  const observed = state?.observed_state ?? "stopped";
  const change = useAction(async (isStart: boolean) => {
    const { message } = isStart
      ? await api.retryComponent({
          body: { agent_id: agent.id, component: name },
          environment: environment.id,
          timeoutMs: 120_000,
        })
      : await api.stopAgent({
          body: { agent_id: agent.id, components: [name] },
          environment: environment.id,
          timeoutMs: 60_000,
        });
    void queryClient.invalidateQueries({ queryKey: ["agent", agent.id] });
    notify(message);
  });
  const start = observed === "failed" ? "Retry" : desired === "running" ? "Restart" : "Start";
  return (
    <li aria-label={title}>
      <div class="row wrap">
        <strong class="component-name">{title}</strong>
        <Status value={observed} />
        {desired !== observed && <span class="soft">should be {desired}</span>}
        {state?.version && <span class="mono">{state.version}</span>}
        <span class="faint">
          {state ? (
            <>
              since <Time at={state.updated_at} />
            </>
          ) : (
            componentHints[name]
          )}
        </span>
        <span class="grow" />
        <Button
          label={`${start}: ${title}`}
          onClick={() => void change.run(true)}
          isBusy={change.isRunning}
          whyNot={why}
        >
          <Icon name={start === "Start" ? "play" : "retry"} />
          {start}
        </Button>
        <Button
          label={`Stop: ${title}`}
          onClick={() => void change.run(false)}
          isBusy={change.isRunning}
          whyNot={
            why ?? (desired === "stopped" && observed === "stopped" ? "It is stopped already." : undefined)
          }
        >
          <Icon name="stop" />
          Stop
        </Button>
      </div>
      {state?.message && <pre class={observed === "failed" ? "text cause" : "text"}>{state.message}</pre>}
      {change.error && <ErrorBox error={change.error} />}
    </li>
  );
}
