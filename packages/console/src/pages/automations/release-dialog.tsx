import type { AutomationDetails } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { queryClient, useAction } from "../../app/queries.ts";
import { session } from "../../app/session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/toasts.tsx";

interface ReleaseDialogProps {
  readonly details: AutomationDetails;
  readonly environment: string;
  readonly attemptId: string;
  readonly onClose: () => void;
  readonly onReleased: () => void;
}

/** Makes the draft current in an environment. */
export function ReleaseDialog(props: ReleaseDialogProps): VNode {
  const { details, attemptId, onClose, onReleased } = props;
  const { alias } = details.automation;
  const environments = (session.value?.environments ?? []).filter(({ is_active }) => is_active);
  const [environment, setEnvironment] = useState(props.environment);
  const current = details.releases.find((one) => one.environment === environment);
  const [version, setVersion] = useState(nextVersion(details.releases.map((one) => one.version)));
  const release = useAction(async () => {
    const { message } = await api.syncAutomationRelease({
      body: {
        automation_alias: alias,
        environment,
        action: "activate",
        metadata: { attempt_id: attemptId, ...(version && { version }) },
      },
    });
    void queryClient.invalidateQueries();
    notify(message);
    onReleased();
    onClose();
  });
  return (
    <FormDialog
      title={`Release ${alias}`}
      onClose={onClose}
      action={release}
      submit="Release"
      whyNot={whyNot("operator", environment)}
    >
      <Field
        label="Environment"
        value={environment}
        onInput={setEnvironment}
        path="environment"
        error={release.error}
        options={environments.map(({ name }) => ({ value: name, text: name }))}
        hint={current ? `${current.version} is current there.` : "It is not released there yet."}
      />
      <Field
        label="Version"
        value={version}
        onInput={setVersion}
        path="metadata.version"
        error={release.error}
        hint="Empty: the hash of the definition."
      />
    </FormDialog>
  );
}

/** The next version after the greatest one: 1.4.0 becomes 1.5.0. */
function nextVersion(versions: readonly string[]): string {
  const found = versions.flatMap((version) => {
    const [, major, minor] = /^(\d{1,9})\.(\d{1,9})\.\d{1,9}$/.exec(version) ?? [];
    return major === undefined ? [] : [[Number(major), Number(minor)] as const];
  });
  const [greatest] = found.sort((one, other) => other[0] - one[0] || other[1] - one[1]);
  return greatest ? `${greatest[0]}.${greatest[1] + 1}.0` : "1.0.0";
}
