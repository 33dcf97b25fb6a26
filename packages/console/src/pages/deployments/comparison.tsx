import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import type { Deployment } from "../../data/deployments.ts";
import { useEvents } from "../../data/events.ts";
import { withShortCommits } from "../../format/commit.ts";
import { Card } from "../../ui/card.tsx";
import { Changes, type FieldChange } from "../../ui/changes.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { subjectKind, subjectName, summaryOf } from "../events/texts.ts";

interface ComparisonProps {
  readonly deployment: Deployment;
  /** The previous deployment in the same environment; null: there is none. */
  readonly before: Deployment | null;
}

/** The differences from the previous deployment, and the changes in the environment between the two. */
export function Comparison({ deployment, before }: ComparisonProps): VNode {
  if (before === null) {
    return (
      <Card title="Compared with the one before">
        <p class="soft">It is the first deployment to this environment.</p>
      </Card>
    );
  }
  const changes = differences(before, deployment);
  return (
    <>
      <Card
        title="Compared with the one before"
        isFlush
        actions={
          <>
            <a href={hrefOf(`/deployments/${before.id}`)}>
              {withShortCommits(before.deployment_name ?? before.id)}
            </a>
            <Status value={before.status} />
          </>
        }
      >
        {changes.length === 0 ? (
          <p class="body soft">Nothing is different: the same branch and commit, by the same caller.</p>
        ) : (
          <Changes label="Compared with the one before" changes={changes} before="Before" after="This one" />
        )}
      </Card>
      <Between deployment={deployment} before={before} />
    </>
  );
}

function differences(before: Deployment, after: Deployment): readonly FieldChange[] {
  const pairs = [
    ["name", before.deployment_name, after.deployment_name],
    ["branch", before.git_branch, after.git_branch],
    ["commit", before.git_commit_sha, after.git_commit_sha],
    ["by", before.initiated_by, after.initiated_by],
  ] as const;
  return pairs
    .filter(([, one, other]) => one !== other)
    .map(([path, one, other]) => ({ path, before: one || null, after: other || null }));
}

/** Events of the deployments themselves, which the comparison already shows. */
const ownKinds = ["deployment.", "environment.reconciled", "run."];

function Between({ deployment, before }: { deployment: Deployment; before: Deployment }): VNode {
  const period = {
    created_after: before.completed_at ?? before.created_at,
    created_before: deployment.completed_at ?? undefined,
  };
  const { data, error } = useEvents({ environment: deployment.environment_id, ...period });
  const events = data?.items.filter(({ kind }) => !ownKinds.some((own) => kind.startsWith(own)));
  return (
    <Card title="Changed in the environment since the one before" isFlush>
      {error && <ErrorBox error={error} />}
      {!data && !error && <Loading what="the events between them" />}
      {events?.length === 0 && <p class="body soft">No other change was made through Lakehelm.</p>}
      <ul class="items">
        {events?.map((event) => (
          <li key={event.sequence} class="row">
            <a href={hrefOf(`/events/${event.sequence}`)}>{event.kind}</a>
            <span class="grow clip">
              <span class="faint">{subjectKind(event)}</span> {subjectName(event)}{" "}
              <span class="soft">{summaryOf(event)}</span>
            </span>
            <span class="faint">{event.actor}</span>
            <span class="soft">
              <Time at={event.time} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
