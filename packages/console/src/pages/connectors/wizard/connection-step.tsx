import type { endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../../app/client.ts";
import { queryClient, useAction } from "../../../app/queries.ts";
import { session } from "../../../app/session.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Field } from "../../../ui/field.tsx";
import {
  type Config,
  choiceAt,
  configOf,
  fieldsFor,
  missingFields,
  pathOf,
  targetOf,
  withText,
} from "./config.ts";
import type { ConnectorKind } from "./kinds.ts";
import { YamlPart } from "./yaml-part.tsx";

type Check = ClientResult<typeof endpoints.checkConnector>;

interface ConnectionStepProps {
  readonly kind: ConnectorKind;
  readonly environment: string;
  readonly draft: string | undefined;
  readonly onBack: () => void;
  readonly onDraft: (id: string) => void;
  readonly onNext: () => void;
}

/** The length of a pause in typing after which the connection is checked again. */
const typingMs = 900;

/** The connection. The first check creates the draft; later changes are checked while the user types. */
export function ConnectionStep({
  kind,
  environment,
  draft,
  onBack,
  onDraft,
  onNext,
}: ConnectionStepProps): VNode {
  const [name, setName] = useState("");
  const [config, setConfig] = useState<Config>({});
  const [isYaml, setYaml] = useState(false);
  const [yamlProblem, setYamlProblem] = useState<string | undefined>();
  const [check, setCheck] = useState<Check | undefined>();
  const isLoaded = useRef(draft === undefined);
  const saved = useRef("");

  useEffect(() => {
    if (draft === undefined || isLoaded.current) return;
    isLoaded.current = true;
    api.getConnector({ params: { connector_id: draft } }).then(
      (connector) => {
        setName(connector.name);
        setConfig(configOf(kind, connector.target_config));
      },
      () => undefined,
    );
  }, [draft]);

  const save = useAction(async () => {
    const { target_type, target_config } = targetOf(kind, config);
    saved.current = JSON.stringify([name, config]);
    setCheck(undefined);
    let id = draft;
    if (id === undefined) {
      const created = await api.createConnector({
        environment,
        idempotencyKey: crypto.randomUUID(),
        body: {
          name,
          target_type,
          target_config,
          execution_mode: "manual",
          paused: true,
          created_by: session.value?.name ?? "",
        },
      });
      id = created.id;
      onDraft(id);
    } else {
      await api.updateConnector({ params: { connector_id: id }, body: { name, target_config } });
    }
    void queryClient.invalidateQueries({ queryKey: ["connector", id] });
    setCheck(await api.checkConnector({ params: { connector_id: id }, timeoutMs: 60_000 }));
  });

  const missing = missingFields(kind, config);
  const isComplete = name.trim() !== "" && missing.length === 0 && yamlProblem === undefined;
  const current = JSON.stringify([name, config]);
  const { run } = save;
  useEffect(() => {
    if (draft === undefined || !isComplete || current === saved.current) return;
    const timer = setTimeout(() => void run(), typingMs);
    return () => clearTimeout(timer);
    // A new check starts only when the input has changed.
  }, [current, draft, isComplete]);

  const incomplete = isComplete
    ? undefined
    : (yamlProblem ??
      `Fill in ${[name.trim() === "" ? "the name" : "", ...missing.map(({ label }) => label)].filter(Boolean).join(", ")}.`);
  return (
    <section class="stack narrow" aria-label="Connection">
      <Field
        label="Name of the connector"
        value={name}
        onInput={setName}
        path="name"
        error={save.error}
        hint={`Unique in the environment ${environment}`}
      />
      <div class="row">
        <h2 class="grow">{kind.title}</h2>
        <span class="segments">
          <Button kind="quiet" isPressed={!isYaml} onClick={() => setYaml(false)} whyNot={yamlProblem}>
            Form
          </Button>
          <Button kind="quiet" isPressed={isYaml} onClick={() => setYaml(true)}>
            YAML
          </Button>
        </span>
      </div>
      {isYaml ? (
        <YamlPart kind={kind} config={config} onChange={setConfig} onProblem={setYamlProblem} />
      ) : (
        fieldsFor(kind, config).map((field) => (
          <Field
            key={`${field.name} ${field.label}`}
            label={field.label}
            value={choiceAt(config, field)}
            onInput={(value) => setConfig(withText(config, field, value))}
            type={field.isSecret ? "password" : "text"}
            autocomplete="off"
            hint={field.hint}
            path={pathOf(kind, field.name)}
            error={save.error}
            {...(field.options && { options: field.options })}
          />
        ))
      )}
      {kind.more.length > 0 && (
        <p class="faint">
          {isYaml ? "Also possible here: " : "YAML has further settings: "}
          {kind.more.map((setting, at) => (
            <span key={setting}>
              {at > 0 && ", "}
              <code>{setting}</code>
            </span>
          ))}
          .
        </p>
      )}
      {save.error && <ErrorBox error={save.error} />}
      {save.isRunning && (
        <p class="soft" role="status">
          Checking…
        </p>
      )}
      {check && (
        <ul class="findings" aria-label="Result of the check">
          {check.findings.map(({ ok, sentence }) => (
            <li key={sentence} class={ok ? "good" : "bad"}>
              {ok ? "✓" : "✗"} {sentence}
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <Button onClick={onBack}>Back</Button>
        <Button onClick={() => void save.run()} isBusy={save.isRunning} whyNot={incomplete}>
          Check the connection
        </Button>
        <Button
          kind="primary"
          onClick={onNext}
          whyNot={check?.ok ? undefined : "Continue when the check succeeds."}
        >
          Choose tables
        </Button>
      </div>
    </section>
  );
}
