import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import type { PageProps } from "../../app/page-props.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { queryClient } from "../../app/queries.ts";
import { hrefOf, navigate } from "../../app/router.ts";
import {
  type Deployment,
  useDeployment,
  useDeploymentBefore,
  useDeploymentLog,
} from "../../data/deployments.ts";
import { withShortCommits } from "../../format/commit.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { RunDuration } from "../../ui/run-duration.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { Comparison } from "./comparison.tsx";

const above = [{ title: "Deployments", path: "/deployments" }];

export default function DeploymentPage({ params }: PageProps): VNode {
  const { data, error, refresh } = useDeployment(params.id ?? "");
  if (data) return <Loaded deployment={data} />;
  return (
    <PageLayout title="Deployment" above={above}>
      {error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the deployment" />}
    </PageLayout>
  );
}

const hasEnded = ({ status }: Deployment) => status !== "pending" && status !== "running";

function Loaded({ deployment }: { deployment: Deployment }): VNode {
  const [isDeleting, setDeleting] = useState(false);
  const { data: before } = useDeploymentBefore(deployment);
  const { id, deployment_name: name, environment_id } = deployment;
  const remove = async () => {
    const { message } = await api.deleteDeployment({ params: { deployment_id: id } });
    void queryClient.invalidateQueries();
    notify(message);
    navigate("/deployments");
  };
  return (
    <PageLayout
      title={
        <span class="row">
          {withShortCommits(name ?? id)} <Status value={deployment.status} />
        </span>
      }
      above={above}
      actions={
        <Button
          kind="danger"
          onClick={() => setDeleting(true)}
          whyNot={
            whyNot("admin", environment_id) ?? (hasEnded(deployment) ? undefined : "It has not ended yet.")
          }
        >
          Delete
        </Button>
      }
    >
      {deployment.error_message !== null && (
        <div class="error-box" role="alert">
          <strong>{deployment.status === "failed" ? "Why it failed" : "Note"}</strong>
          <p>{deployment.error_message}</p>
        </div>
      )}
      <div class="columns">
        <div class="stack loose">
          {before !== undefined && <Comparison deployment={deployment} before={before} />}
          <Log id={id} />
        </div>
        <Card title="Facts">
          <dl class="facts">
            <dt>Environment</dt>
            <dd>{environmentNameOf(environment_id)}</dd>
            <dt>Branch</dt>
            <dd>{deployment.git_branch || "–"}</dd>
            <dt>Commit</dt>
            <dd class="mono">{deployment.git_commit_sha || "–"}</dd>
            <dt>By</dt>
            <dd>{deployment.initiated_by ?? "–"}</dd>
            <dt>Created</dt>
            <dd>
              <Time at={deployment.created_at} absolute />
            </dd>
            <dt>Duration</dt>
            <dd>
              <RunDuration run={{ started_at: deployment.started_at, ended_at: deployment.completed_at }} />
            </dd>
            {deployment.job_run_id !== null && (
              <>
                <dt>Run of your CI</dt>
                <dd class="mono">{deployment.job_run_id}</dd>
              </>
            )}
            <dt>Id</dt>
            <dd class="mono">{id}</dd>
            <dt>Events</dt>
            <dd>
              <a href={hrefOf(`/events?subject=${encodeURIComponent(`deployment/${id}`)}`)}>Its history</a>
            </dd>
          </dl>
        </Card>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${name ?? id}?`}
          confirm="Delete"
          onClose={() => setDeleting(false)}
          perform={remove}
        >
          <p>The deployment and its log are deleted. Its events stay.</p>
        </ConfirmDialog>
      )}
    </PageLayout>
  );
}

function Log({ id }: { id: string }): VNode {
  const { data, error, refresh } = useDeploymentLog(id);
  return (
    <Card title="Log" isFlush>
      {error && <ErrorBox error={error} retry={refresh} />}
      {!data && !error && <Loading what="the log" />}
      {data &&
        (data.log === "" ? (
          <p class="body soft">Nothing was logged.</p>
        ) : (
          <pre class="text flat" tabIndex={0} aria-label="Log">
            {data.log}
          </pre>
        ))}
    </Card>
  );
}
