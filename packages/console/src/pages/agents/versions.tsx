import type { Agent, AgentVersion } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { queryClient, useAction, useQuery } from "../../app/queries.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";

interface VersionsProps {
  readonly agent: Agent;
  readonly environment: { readonly id: string; readonly name: string };
}

/** The versions of an agent. In each environment, one of them answers the chat. */
export function Versions({ agent, environment }: VersionsProps): VNode {
  const { data, error, refresh } = useQuery({
    key: ["agent versions", agent.id],
    read: (signal) =>
      api.listAgentVersions({
        params: { agent_id: agent.id },
        query: { limit: 1000, sort: "-created" },
        signal,
      }),
    on: [{ kind: "agent.*", subject: `agent/${agent.id}` }],
  });
  const active = agent.releases.find(({ environment_id }) => environment_id === environment.id)?.version;
  const change = useAction(async (version: string, action: "activate" | "delete") => {
    const { message } = await api.syncAgentRelease({
      body: { agent_name: agent.name, version, environment: environment.id, action },
    });
    void queryClient.invalidateQueries({ queryKey: ["agent", agent.id] });
    notify(message);
  });
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the versions" />;
  if (data.versions.length === 0) {
    return (
      <EmptyState title="It has no version yet">
        Register one with <code>lakehelm agents create-version</code>, or let a deploy workflow do it.
      </EmptyState>
    );
  }
  const why = whyNot("operator", environment.id);
  const columns: readonly Column<AgentVersion>[] = [
    { title: "Version", width: "minmax(110px, 1fr)", cell: ({ version }) => <code>{version}</code> },
    {
      title: "Answers in chat",
      width: "minmax(150px, 1fr)",
      cell: ({ version }) => (
        <span class="row">
          {agent.releases
            .filter((release) => release.version === version)
            .map((release) => (
              <span key={release.environment_id} class="row">
                <Status value="active" />
                <span class="soft">{release.environment}</span>
              </span>
            ))}
        </span>
      ),
    },
    {
      title: "Code",
      width: "minmax(150px, 1fr)",
      cell: ({ source_path }) => source_path ?? <span class="faint">{agent.source_path ?? "–"}</span>,
    },
    { title: "By", width: "minmax(110px, 1fr)", cell: ({ created_by }) => created_by },
    { title: "Registered", width: "110px", cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: "",
      width: "170px",
      isRight: true,
      cell: ({ version }) => (
        <Button
          label={`${version === active ? "Remove from" : "Activate in"} ${environment.name}: ${version}`}
          onClick={() => void change.run(version, version === active ? "delete" : "activate")}
          isBusy={change.isRunning}
          whyNot={why}
        >
          {version === active ? "Remove from" : "Activate in"} {environment.name}
        </Button>
      ),
    },
  ];
  return (
    <>
      {change.error && <ErrorBox error={change.error} />}
      <Table label="Versions" columns={columns} rows={data.versions} keyOf={({ id }) => id} />
    </>
  );
}
