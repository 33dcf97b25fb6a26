import type { Connector } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../../app/client.ts";
import { whyNot } from "../../../app/permissions.ts";
import { useAction } from "../../../app/queries.ts";
import { environmentName, navigate, place, setQuery } from "../../../app/router.ts";
import { session } from "../../../app/session.ts";
import { useConnector } from "../../../data/connectors.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../../ui/page.tsx";
import { notify } from "../../../ui/toasts.tsx";
import { ConnectionStep } from "./connection-step.tsx";
import { KindStep } from "./kind-step.tsx";
import { connectorKinds } from "./kinds.ts";
import { PreviewStep } from "./preview-step.tsx";
import { ScheduleStep } from "./schedule-step.tsx";
import { TablesStep } from "./tables-step.tsx";

const above = [{ title: "Connectors", path: "/connectors" }];
const steps = ["kind", "connection", "tables", "preview", "schedule"] as const;
type Step = (typeof steps)[number];
const titles: Readonly<Record<Step, string>> = {
  kind: "System",
  connection: "Connection",
  tables: "Tables",
  preview: "Preview",
  schedule: "Schedule",
};

/**
 * Creates a connector, up to its first run. From the connection step on, the connector exists as a paused draft, so
 * that its connection can be checked and the address leads back to it.
 */
export default function WizardPage(): VNode {
  const { query } = place.value;
  const environment = environmentName.value ?? session.value?.default_environment ?? "";
  const draft = query.get("draft") ?? undefined;
  const kind = connectorKinds.find(({ id }) => id === query.get("kind"));
  const asked = steps.find((one) => one === query.get("step")) ?? "kind";
  const step = asked === "connection" && !kind ? "kind" : asked;
  const why = whyNot("operator", environment);
  if (why !== undefined) {
    return (
      <PageLayout title="New connector" above={above}>
        <EmptyState title="You may not create a connector here">{why}</EmptyState>
      </PageLayout>
    );
  }
  const go = (next: Step) => setQuery({ step: next });
  return (
    <PageLayout title="New connector" above={above} actions={draft && <Discard id={draft} />}>
      <ol class="steps" aria-label="Steps">
        {steps.map((one, at) => (
          <li key={one} aria-current={one === step ? "step" : undefined}>
            <span class="number">{at + 1}</span> {titles[one]}
          </li>
        ))}
      </ol>
      {step === "kind" && <KindStep onChoose={(id) => setQuery({ kind: id, step: "connection" })} />}
      {step === "connection" && kind && (
        <ConnectionStep
          key={kind.id}
          kind={kind}
          environment={environment}
          draft={draft}
          onBack={() => go("kind")}
          onDraft={(id) => setQuery({ draft: id })}
          onNext={() => go("tables")}
        />
      )}
      {draft && step !== "kind" && step !== "connection" && (
        <DraftStep id={draft} environment={environment} step={step} go={go} />
      )}
    </PageLayout>
  );
}

interface DraftStepProps {
  readonly id: string;
  readonly environment: string;
  readonly step: Step;
  readonly go: (step: Step) => void;
}

function DraftStep({ id, environment, step, go }: DraftStepProps): VNode {
  const { data, error, refresh } = useConnector(id);
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the draft" />;
  if (step === "tables") {
    return (
      <TablesStep
        connector={data}
        environment={environment}
        onBack={() => go("connection")}
        onNext={() => go("preview")}
      />
    );
  }
  if (step === "preview") {
    return <PreviewStep connector={data} onBack={() => go("tables")} onNext={() => go("schedule")} />;
  }
  return <ScheduleStep connector={data} onBack={() => go("preview")} onDone={(run) => finish(data, run)} />;
}

function finish(connector: Connector, runId: string | undefined): void {
  notify(`${connector.name} is set up.`);
  navigate(runId === undefined ? `/connectors/${connector.id}` : `/runs/${runId}`);
}

function Discard({ id }: { id: string }): VNode {
  const discard = useAction(async () => {
    await api.deleteConnector({ params: { connector_id: id } });
    navigate("/connectors");
  });
  return (
    <Button kind="danger" onClick={() => void discard.run()} isBusy={discard.isRunning}>
      Discard the draft
    </Button>
  );
}
