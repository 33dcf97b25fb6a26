import type { Environment } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import type { PageProps } from "../../app/page-props.ts";
import { whyNot } from "../../app/permissions.ts";
import { hrefOf, navigate, setQuery } from "../../app/router.ts";
import { refreshEnvironments, useEnvironment, useEnvironmentSummary } from "../../data/environments.ts";
import { withShortCommits } from "../../format/commit.ts";
import { count } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { textOf } from "../../ui/changes.tsx";
import { CheckBox } from "../../ui/check-box.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { currentTab, Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { Check } from "./check.tsx";
import { EnvironmentForm } from "./form.tsx";
import { Roles } from "./roles.tsx";

const above = [{ title: "Environments", path: "/environments" }];
const tabs = [
  { id: "overview", title: "Overview" },
  { id: "roles", title: "Roles" },
];

export default function EnvironmentPage({ params }: PageProps): VNode {
  const { data, error, refresh } = useEnvironment(params.id ?? "");
  if (data) return <Loaded environment={data.body} etag={data.etag} />;
  return (
    <PageLayout title="Environment" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the environment" />}
    </PageLayout>
  );
}

interface LoadedProps {
  readonly environment: Environment;
  readonly etag: string | undefined;
}

function Loaded({ environment, etag }: LoadedProps): VNode {
  const [open, setOpen] = useState<"edit" | "protect" | "delete" | undefined>();
  const { name, protected: isProtected } = environment;
  const tab = currentTab(tabs);
  const close = () => setOpen(undefined);
  const why =
    whyNot("operator", environment.id) ??
    (isProtected ? `${name} is protected: remove the protection to edit it.` : undefined);
  return (
    <PageLayout
      title={
        <span class="row">
          {name} <Status value={environment.isActive ? "active" : "inactive"} />
          {isProtected && <Status value="protected" />}
        </span>
      }
      above={above}
      actions={
        <>
          <Button onClick={() => setOpen("edit")} whyNot={why}>
            Edit
          </Button>
          <Button
            onClick={() => setOpen("protect")}
            whyNot={whyNot(isProtected ? "admin" : "operator", environment.id)}
          >
            {isProtected ? "Remove the protection" : "Protect"}
          </Button>
          <Button kind="danger" onClick={() => setOpen("delete")} whyNot={why}>
            Delete
          </Button>
        </>
      }
    >
      <Tabs label="Environment" tabs={tabs} current={tab} />
      {tab === "roles" ? <Roles environment={environment} /> : <Overview environment={environment} />}
      {open === "edit" && (
        <EnvironmentForm
          environment={environment}
          etag={etag}
          onClose={close}
          onSaved={() => setQuery({ check: "now" })}
        />
      )}
      {open === "protect" && <ProtectDialog environment={environment} onClose={close} />}
      {open === "delete" && <DeleteDialog environment={environment} onClose={close} />}
    </PageLayout>
  );
}

function Overview({ environment }: { environment: Environment }): VNode {
  const settings = Object.entries(environment.configuration);
  return (
    <div class="columns">
      <div class="stack loose">
        <Check environment={environment} />
        <Card title="Configuration">
          {settings.length === 0 ? (
            <p class="soft">There are no settings: the defaults apply.</p>
          ) : (
            <dl class="facts">
              {settings.map(([key, value]) => (
                <>
                  <dt>{key}</dt>
                  <dd>
                    <code class="value">{value === null ? "none" : textOf(value)}</code>
                  </dd>
                </>
              ))}
            </dl>
          )}
        </Card>
        <Releases environment={environment} />
      </div>
      <Card title="Facts">
        <dl class="facts">
          <dt>Description</dt>
          <dd>{environment.description ?? "–"}</dd>
          <dt>Platform</dt>
          <dd>{environment.platform}</dd>
          <dt>Repository</dt>
          <dd>{environment.gitRepository ?? "–"}</dd>
          <dt>Branch</dt>
          <dd>{environment.targetGitBranch ?? "–"}</dd>
          <dt>Secret scope</dt>
          <dd>{environment.secretScope ?? "lakehelm"}</dd>
          {environment.dataPlatformClientIdKey !== null && (
            <>
              <dt>Client id in</dt>
              <dd class="mono">{environment.dataPlatformClientIdKey}</dd>
            </>
          )}
          {environment.dataPlatformClientSecretKey !== null && (
            <>
              <dt>Client secret in</dt>
              <dd class="mono">{environment.dataPlatformClientSecretKey}</dd>
            </>
          )}
          <dt>Created</dt>
          <dd>
            {environment.createdBy ? `by ${environment.createdBy}, ` : ""}
            <Time at={environment.createdAt} />
          </dd>
          <dt>Changed</dt>
          <dd>
            {environment.updatedBy ? `by ${environment.updatedBy}, ` : ""}
            <Time at={environment.updatedAt} />
          </dd>
          <dt>Id</dt>
          <dd class="mono">{environment.id}</dd>
          <dt>Events</dt>
          <dd>
            <a href={hrefOf(`/events?subject=${encodeURIComponent(`environment/${environment.id}`)}`)}>
              Its history
            </a>
          </dd>
        </dl>
      </Card>
    </div>
  );
}

/** The deployments and releases of the environment. */
function Releases({ environment }: { environment: Environment }): VNode {
  const { data, error, refresh } = useEnvironmentSummary(environment.id);
  const latest = data?.latest_success;
  return (
    <Card title="Deployed">
      {error && <ErrorBox error={error} retry={refresh} />}
      {!data && !error && <Loading what="what is deployed" />}
      {data && (
        <div class="stack">
          <p>
            {latest ? (
              <>
                Last successful deployment:{" "}
                <a class="text" href={hrefOf(`/deployments/${latest.id}`)}>
                  {withShortCommits(latest.deployment_name ?? latest.git_commit_sha)}
                </a>{" "}
                <Time at={latest.completed_at} />
              </>
            ) : (
              <span class="soft">Nothing was deployed successfully yet.</span>
            )}
          </p>
          {data.failure_streak > 0 && (
            <p class="cause">
              {data.failure_streak === 1
                ? "The last deployment failed."
                : `The last ${count(data.failure_streak)} deployments failed.`}
            </p>
          )}
          {data.current_releases.length > 0 && (
            <ul class="downstream">
              {data.current_releases.map(({ artifact, version, activated_at }) => (
                <li key={artifact} class="row">
                  <span class="grow clip">{artifact}</span>
                  <span class="mono" title={version}>
                    {withShortCommits(version)}
                  </span>
                  <span class="soft">
                    <Time at={activated_at} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Card>
  );
}

interface ChangeProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

function ProtectDialog({ environment, onClose }: ChangeProps): VNode {
  const isProtected = environment.protected;
  return (
    <ConfirmDialog
      title={isProtected ? `Remove the protection of ${environment.name}?` : `Protect ${environment.name}?`}
      confirm={isProtected ? "Remove the protection" : "Protect"}
      kind={isProtected ? "danger" : "primary"}
      onClose={onClose}
      perform={async () => {
        await api.updateEnvironment({
          params: { environment_id: environment.id },
          body: { protected: !isProtected },
        });
        refreshEnvironments();
      }}
    >
      <p>
        {isProtected
          ? "It can be edited here again, and everybody with the role operator may change what is in it."
          : "Only its admins may change it and what is in it, plans need the approval of another admin, and it cannot be edited here."}
      </p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ environment, onClose }: ChangeProps): VNode {
  const [force, setForce] = useState(false);
  return (
    <ConfirmDialog
      title={`Delete ${environment.name}?`}
      confirm="Delete"
      onClose={onClose}
      perform={async () => {
        const { message } = await api.deleteEnvironment({
          params: { environment_id: environment.id },
          query: { force },
        });
        refreshEnvironments();
        notify(message);
        navigate("/environments");
      }}
    >
      <p>It must be empty: without connectors, pipelines, flows and other resources.</p>
      <CheckBox label="Also delete the tables of its warehouse" isChecked={force} onChange={setForce} />
    </ConfirmDialog>
  );
}
