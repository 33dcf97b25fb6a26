import type { App } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import type { PageProps } from "../../app/page-props.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { queryClient, useAction } from "../../app/queries.ts";
import { hrefOf } from "../../app/router.ts";
import { useApp } from "../../data/apps.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { ProcessLog } from "../../ui/process-log.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { OpenApp } from "./open-app.tsx";

const above = [{ title: "Apps", path: "/apps" }];

export default function AppPage({ params }: PageProps): VNode {
  const { data, error, refresh } = useApp(params.id ?? "");
  if (data) return <Loaded app={data} />;
  return (
    <PageLayout title="App" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the app" />}
    </PageLayout>
  );
}

function Loaded({ app }: { app: App }): VNode {
  const why =
    whyNot("operator", app.environment_id) ??
    (app.source_path === null && !app.url
      ? "It has no source_path: an admin sets the folder of its code."
      : undefined);
  const request = {
    body: { application_name: app.name },
    environment: app.environment_id,
    timeoutMs: 120_000,
  };
  const change = useAction(async (what: "start" | "stop" | "restart") => {
    if (what !== "start") await api.stopApp(request);
    if (what !== "stop") await api.startApp(request);
    void queryClient.invalidateQueries({ queryKey: ["app", app.id] });
    notify(`${app.name} is ${what === "stop" ? "stopped" : "running"}.`);
  });
  const isStopped = app.desired_state === "stopped" && app.observed_state === "stopped";
  return (
    <PageLayout
      title={
        <span class="row">
          {app.name} <Status value={app.observed_state} />
        </span>
      }
      above={above}
      actions={
        <>
          {isStopped ? (
            <Button onClick={() => void change.run("start")} isBusy={change.isRunning} whyNot={why}>
              <Icon name="play" />
              Start
            </Button>
          ) : (
            <>
              <Button onClick={() => void change.run("restart")} isBusy={change.isRunning} whyNot={why}>
                <Icon name="retry" />
                {app.observed_state === "failed" ? "Retry" : "Restart"}
              </Button>
              <Button onClick={() => void change.run("stop")} isBusy={change.isRunning} whyNot={why}>
                <Icon name="stop" />
                Stop
              </Button>
            </>
          )}
          <OpenApp app={app} />
        </>
      }
    >
      {change.error && <ErrorBox error={change.error} />}
      {app.message && (
        <div class={app.observed_state === "failed" ? "error-box" : "card body"}>
          <strong>{app.observed_state === "failed" ? "Why it does not run" : "Note"}</strong>
          <pre class="text">{app.message}</pre>
        </div>
      )}
      <section class="card">
        <dl class="facts body">
          <dt>State</dt>
          <dd class="row">
            <Status value={app.observed_state} />
            <span class="soft">
              {app.desired_state === app.observed_state ? "as asked for" : `should be ${app.desired_state}`}
            </span>
          </dd>
          <dt>Environment</dt>
          <dd>{environmentNameOf(app.environment_id)}</dd>
          <dt>Agent</dt>
          <dd>{app.agent_id ? <a href={hrefOf(`/agents/${app.agent_id}`)}>Open its agent</a> : "none"}</dd>
          <dt>Code</dt>
          <dd>{app.source_path ? <code>{app.source_path}</code> : "–"}</dd>
          {app.description && (
            <>
              <dt>Description</dt>
              <dd>{app.description}</dd>
            </>
          )}
          <dt>Changed</dt>
          <dd>
            <Time at={app.updated_at} />
          </dd>
        </dl>
      </section>
      <ProcessLog path={`/api/apps/${app.id}/log`} fileName={`${app.name}.log`} />
    </PageLayout>
  );
}
