import type { PlanFinding, PlanStep } from "@lakehelm/contract";
import type { ComponentChildren, VNode } from "preact";
import { hrefOf, place } from "../../app/router.ts";
import { pathOfSubject } from "../../data/targets.ts";
import { count, counted } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { Card } from "../../ui/card.tsx";
import { Changes } from "../../ui/changes.tsx";
import { Findings } from "./findings.tsx";

interface StepDetailProps {
  readonly step: PlanStep;
  readonly findings: readonly PlanFinding[];
}

/** One step: its changes, the reason for its position, and the affected resources. */
export function StepDetail({ step, findings }: StepDetailProps): VNode {
  const { position, action, kind, name, changes, drift, reasons, depends_on, resource_id, file } = step;
  const path = resource_id === null ? undefined : pathOfSubject(`${kind}/${resource_id}`, name);
  const own = findings.filter((finding) => finding.position === position);
  return (
    <Card
      title={`Step ${position}: ${action} ${kind} ${name}`}
      isFlush
      actions={
        <>
          {file && (
            <span class="faint mono">
              {file.path}
              {file.line ? `:${file.line}` : ""}
            </span>
          )}
          {path && <a href={hrefOf(path)}>Open {kind}</a>}
        </>
      }
    >
      {step.error !== null && (
        <div class="error-box flat" role="alert">
          <strong>Why it failed</strong>
          <p>{step.error}</p>
        </div>
      )}
      {own.length > 0 && (
        <Part title="Findings">
          <Findings findings={own} />
        </Part>
      )}
      {step.unchecked && (
        <Part title="Not checked">
          <p>{step.unchecked}</p>
        </Part>
      )}
      {changes.length > 0 && (
        <Part title="Changes" isFlush>
          <Changes label={`Changes of ${name}`} changes={changes} before="Live" after="Desired" />
        </Part>
      )}
      {drift.length > 0 && (
        <Part title="Changed by somebody else since it was applied" isFlush>
          <Changes label={`Drift of ${name}`} changes={drift} before="Applied" after="Live" />
        </Part>
      )}
      <Part title="Why, and why here">
        <ul class="plain-list">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        {depends_on.length > 0 && (
          <p class="soft">
            After{" "}
            {depends_on.map((before, at) => (
              <span key={before}>
                {at > 0 && ", "}
                <a class="text" href={hrefOf(`${place.value.path}?step=${before}`)}>
                  step {before}
                </a>
              </span>
            ))}
            .
          </p>
        )}
      </Part>
      <Part title="What it affects">
        <Impact impact={step.impact} />
      </Part>
    </Card>
  );
}

interface PartProps {
  readonly title: string;
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

const Part = ({ title, isFlush, children }: PartProps): VNode => (
  <div class={isFlush ? "part flush" : "part"}>
    <h3>{title}</h3>
    {children}
  </div>
);

function Impact({ impact }: Pick<PlanStep, "impact">): VNode {
  if (!impact) return <p class="soft">Nothing: it does not change.</p>;
  const { downstream, downstream_total: total, running_runs, consequences = [] } = impact;
  const { rows, estimated_seconds } = impact;
  const isNothing =
    total === 0 && running_runs.length === 0 && consequences.length === 0 && impact.data_lost.length === 0;
  return (
    <div class="stack">
      {isNothing && <p class="soft">Nothing else uses it, nothing of it runs, and no data is lost.</p>}
      {impact.data_lost.map((text) => (
        <p key={text} class="cause">
          {text}
        </p>
      ))}
      {impact.writes && <p>Writes by {impact.writes}.</p>}
      {consequences.map(({ kind, effect, table, sentence }) => (
        <p key={`${table} ${effect}`} class={effect === "refuse" ? "cause" : undefined}>
          <span class="faint">{kind}</span> {sentence}
        </p>
      ))}
      {running_runs.length > 0 && (
        <p>
          {counted(running_runs.length, "run")} in progress:{" "}
          {running_runs.map((id) => (
            <a key={id} class="text mono" href={hrefOf(`/runs/${id}`)}>
              {id}
            </a>
          ))}
        </p>
      )}
      {total > 0 && (
        <>
          <p>{counted(total, "resource")} downstream:</p>
          <ul class="downstream">
            {downstream.map(({ kind, name, columns, via }) => (
              <li key={`${kind} ${name}`}>
                <span class="faint">{kind}</span> <strong>{name}</strong>
                {columns && <span class="mono"> ({columns.join(", ")})</span>} <span class="soft">{via}</span>
              </li>
            ))}
          </ul>
          {total > downstream.length && <p class="soft">And {count(total - downstream.length)} more.</p>}
        </>
      )}
      {(rows !== null || estimated_seconds !== null) && (
        <p class="soft number">
          Its last successful run{rows !== null && ` moved ${counted(rows, "row")}`}
          {rows !== null && estimated_seconds !== null && " and"}
          {estimated_seconds !== null && ` took ${duration(estimated_seconds * 1_000)}`}.
        </p>
      )}
    </div>
  );
}
