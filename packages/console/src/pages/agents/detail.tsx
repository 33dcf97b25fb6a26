import type { Agent } from "@lakehelm/contract";
import type { VNode } from "preact";
import type { PageProps } from "../../app/page-props.ts";
import { environmentName, hrefOf, setQuery } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { useAgent } from "../../data/agents.ts";
import { useApps } from "../../data/apps.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { ProcessLog } from "../../ui/process-log.tsx";
import { Status } from "../../ui/status.tsx";
import { currentTab, Tabs } from "../../ui/tabs.tsx";
import { Chat } from "./chat.tsx";
import { Components } from "./components.tsx";
import { Versions } from "./versions.tsx";

const above = [{ title: "Agents", path: "/agents" }];
const tabs = [
  { id: "components", title: "Components" },
  { id: "chat", title: "Chat" },
  { id: "log", title: "Log" },
  { id: "versions", title: "Versions" },
];

export default function AgentPage({ params }: PageProps): VNode {
  const { data, error, refresh } = useAgent(params.id ?? "");
  if (data) return <Loaded agent={data} />;
  return (
    <PageLayout title="Agent" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the agent" />}
    </PageLayout>
  );
}

/** The chosen environment; otherwise the environment in which the agent's endpoint runs, or the default environment. */
function environmentFor({ components }: Agent) {
  const { environments = [], default_environment } = session.value ?? {};
  const byName = (name: string | null | undefined) => environments.find((one) => one.name === name);
  const rank = { running: 0, pending: 1, failed: 2, stopped: 3 };
  const [endpoint] = components
    .filter(({ component }) => component === "agent_endpoint")
    .sort((one, other) => rank[one.observed_state] - rank[other.observed_state]);
  return (
    byName(environmentName.value) ??
    environments.find(({ id }) => id === endpoint?.environment_id) ??
    byName(default_environment) ??
    environments[0]
  );
}

function Loaded({ agent }: { agent: Agent }): VNode {
  const tab = currentTab(tabs);
  const environment = environmentFor(agent);
  const { environments = [] } = session.value ?? {};
  if (!environment) {
    return (
      <PageLayout title={agent.name} above={above}>
        <EmptyState title="You can see no environment">Ask an admin for a role in one.</EmptyState>
      </PageLayout>
    );
  }
  return (
    <PageLayout title={agent.name} above={above} isFull>
      {agent.description && <p class="soft">{agent.description}</p>}
      <div class="toolbar">
        <label class="row">
          <span class="soft">Environment</span>
          <select
            class="input"
            value={environment.name}
            onChange={(event) => setQuery({ env: event.currentTarget.value })}
          >
            {environments.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {agent.aliases.length > 0 && <span class="soft">also known as {agent.aliases.join(", ")}</span>}
        {agent.source_path && (
          <span class="soft">
            code in <code>{agent.source_path}</code>
          </span>
        )}
      </div>
      <Tabs label="Parts of the agent" tabs={tabs} current={tab} />
      {tab === "components" && (
        <div class="scroll stack">
          <Components agent={agent} environment={environment} />
          <LinkedApps agentId={agent.id} environment={environment.name} />
        </div>
      )}
      {tab === "chat" && <Chat key={environment.id} agent={agent} environment={environment} />}
      {tab === "log" && (
        <ProcessLog
          path={`/api/agents/${agent.id}/log`}
          environment={environment.id}
          fileName={`${agent.name}-${environment.name}.log`}
        />
      )}
      {tab === "versions" && <Versions agent={agent} environment={environment} />}
    </PageLayout>
  );
}

function LinkedApps({ agentId, environment }: { agentId: string; environment: string }): VNode | null {
  const { data } = useApps({ environment });
  const linked = data?.apps.filter(({ agent_id }) => agent_id === agentId) ?? [];
  if (linked.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>Apps of this agent</h2>
      </header>
      <ul class="items">
        {linked.map(({ id, name, observed_state }) => (
          <li key={id} class="row">
            <Status value={observed_state} />
            <a class="plain" href={hrefOf(`/apps/${id}`)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
