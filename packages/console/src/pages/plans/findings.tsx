import type { PlanFinding } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf, place } from "../../app/router.ts";
import { Status } from "../../ui/status.tsx";

/** What each level of a policy means for the plan. */
const texts: Readonly<Record<PlanFinding["level"], string>> = {
  deny: "denied",
  approve: "needs approval",
  warn: "warning",
};

export function Findings({ findings }: { findings: readonly PlanFinding[] }): VNode {
  return (
    <ul class="plan-findings">
      {findings.map(({ policy, level, position, message }) => (
        <li key={`${policy} ${position} ${message}`}>
          <Status value={texts[level]} />
          <span class="grow">
            {message} <span class="faint">{policy}</span>
          </span>
          {position !== null && <a href={hrefOf(`${place.value.path}?step=${position}`)}>Step {position}</a>}
        </li>
      ))}
    </ul>
  );
}
