import type { Plan } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import { navigate } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { refreshPlans } from "../../data/plans.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { notify } from "../../ui/toasts.tsx";
import { PlanSummary } from "./summary.tsx";

/** The actions approve, apply or resume, and promote. */
export function usePlanActions(plan: Plan) {
  const [open, setOpen] = useState<"apply" | "promote" | undefined>();
  const params = { plan_id: plan.id };
  const approve = useAction(async () => {
    await api.approvePlan({ params });
    refreshPlans();
    notify("The plan is approved.");
  });
  const apply = async () => {
    await api.applyPlan({ params });
    refreshPlans();
  };
  const close = () => setOpen(undefined);
  const isResumed = plan.status === "failed";
  const buttons = (
    <>
      {plan.status === "applied" && (
        <Button onClick={() => setOpen("promote")} whyNot={whyNotPromote()}>
          Promote…
        </Button>
      )}
      {plan.status === "needs_approval" && (
        <Button
          kind="primary"
          onClick={() => void approve.run()}
          isBusy={approve.isRunning}
          whyNot={whyNotApprove(plan)}
        >
          <Icon name="check" />
          Approve
        </Button>
      )}
      {plan.status !== "applied" && (
        <Button
          kind={plan.status === "needs_approval" ? "plain" : "primary"}
          onClick={() => setOpen("apply")}
          whyNot={whyNotApply(plan)}
        >
          <Icon name={isResumed ? "retry" : "play"} />
          {isResumed ? "Resume" : "Apply"}
        </Button>
      )}
    </>
  );
  const dialog = open && (
    <>
      {open === "apply" && (
        <ConfirmDialog
          title={`${isResumed ? "Resume" : "Apply"} the plan in ${plan.environment}?`}
          confirm={isResumed ? "Resume" : "Apply"}
          kind={plan.summary.delete + plan.summary.replace > 0 ? "danger" : "primary"}
          onClose={close}
          perform={apply}
        >
          <PlanSummary summary={plan.summary} />
          <p>
            {isResumed
              ? `${plan.summary.done} of its changes are carried out. It resumes at the step that failed.`
              : "The steps are carried out in their order. It stops at the first one that fails."}
          </p>
        </ConfirmDialog>
      )}
      {open === "promote" && <PromoteDialog plan={plan} onClose={close} />}
    </>
  );
  return { buttons, dialog, error: approve.error };
}

const applicable = ["planned", "approved", "failed"];
const whyItCannot: Readonly<Record<string, string>> = {
  needs_approval: "Another admin must approve it first.",
  refused: "It is refused: see its findings.",
  applying: "It is being applied.",
  stale: "What it rests on has changed since it was made. Make a new plan.",
};

const whyNotApply = ({ status, environment_id }: Plan): string | undefined =>
  applicable.includes(status) ? whyNot("operator", environment_id) : whyItCannot[status];

function whyNotApprove({ created_by, environment_id }: Plan): string | undefined {
  const missing = whyNot("admin", environment_id);
  if (missing) return missing;
  return created_by === session.value?.name
    ? "You made this plan: another admin must approve it."
    : undefined;
}

const targets = (except?: string) =>
  (session.value?.environments ?? []).filter(
    ({ id, is_active, role }) => id !== except && is_active && (role === "operator" || role === "admin"),
  );

const whyNotPromote = (): string | undefined =>
  targets().length > 0 ? undefined : "This requires the role operator in another environment.";

/** Plans the same designs in another environment. */
function PromoteDialog({ plan, onClose }: { plan: Plan; onClose: () => void }): VNode {
  const choices = targets(plan.environment_id);
  const [environment, setEnvironment] = useState(choices[0]?.name ?? "");
  const promote = async () => {
    const made = await api.createPlan({
      body: { environment, project: plan.project, source_plan: plan.id },
      idempotencyKey: crypto.randomUUID(),
    });
    refreshPlans();
    navigate(`/plans/${made.id}`);
  };
  return (
    <ConfirmDialog title="Promote" confirm="Make a plan" kind="primary" onClose={onClose} perform={promote}>
      <p>Plans what was applied here in another environment, with the same designs. Nothing changes yet.</p>
      <Field
        label="Environment"
        value={environment}
        onInput={setEnvironment}
        options={choices.map(({ name }) => ({ value: name, text: name }))}
      />
    </ConfirmDialog>
  );
}
