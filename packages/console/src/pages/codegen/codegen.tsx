import type { CodegenResponse, endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { useAction, useQuery } from "../../app/queries.ts";
import { environmentName, place, setQuery } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { labelOf, ValueField } from "../../ui/value-field.tsx";
import { Artifacts } from "./artifacts.tsx";
import { messageOf, problemsOf } from "./errors.ts";
import { fieldsOf, type RequestField, requestOf } from "./request.ts";

type Template = ClientResult<typeof endpoints.listCodegenTemplates>["templates"][number];
type Generate = (call: { body: never; environment: string }) => Promise<CodegenResponse>;

/** By the path in the template. */
const generators: Readonly<Record<string, Generate>> = {
  "/api/v1/codegen/alter-metadata": api.generateAlterMetadata as Generate,
  "/api/v1/codegen/consumption": api.generateConsumption as Generate,
  "/api/v1/codegen/connector": api.generateConnector as Generate,
};

export default function CodegenPage(): VNode {
  const { data, error, isLoading, refresh } = useQuery({
    key: ["codegen templates"],
    read: (signal) => api.listCodegenTemplates({ signal }),
  });
  const templates = data?.templates ?? [];
  const chosen = templates.find(({ name }) => name === place.value.query.get("template")) ?? templates[0];
  return (
    <PageLayout title="Code generation">
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="templates" />}
      {chosen && (
        <>
          <div class="toolbar">
            <select
              class="input"
              aria-label="Template"
              value={chosen.name}
              onChange={(event) => setQuery({ template: event.currentTarget.value })}
            >
              {templates.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <span class="soft">{chosen.summary}</span>
          </div>
          <TemplateForm key={chosen.name} template={chosen} />
        </>
      )}
    </PageLayout>
  );
}

function TemplateForm({ template }: { template: Template }): VNode {
  const fields = fieldsOf(template.example);
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(template.example);
  const [answer, setAnswer] = useState<CodegenResponse | undefined>();
  const environment = environmentName.value ?? session.value?.default_environment ?? "";
  const generate = useAction(async () => {
    setAnswer(undefined);
    setAnswer(await generators[template.path]?.({ body: requestOf(values) as never, environment }));
  });
  return (
    <div class="codegen">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void generate.run();
        }}
      >
        {fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={values[field.name]}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            errors={answer?.errors ?? []}
          />
        ))}
        <div class="row">
          <Button
            kind="primary"
            type="submit"
            isBusy={generate.isRunning}
            whyNot={whyNot("operator", environment)}
          >
            Generate
          </Button>
          <span class="faint">Nothing is stored or run.</span>
        </div>
      </form>
      <div class="stack">
        {generate.error && <ErrorBox error={generate.error} />}
        {answer?.status === "error" && (
          <div class="error-box" role="alert">
            <ul>
              {answer.errors.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        )}
        {answer?.status === "success" ? (
          <Artifacts artifacts={answer.artifacts} name={template.name} />
        ) : (
          !answer && (
            <EmptyState title="The files appear here">
              The form has a complete example. Change it to what you need.
            </EmptyState>
          )
        )}
      </div>
    </div>
  );
}

interface InputProps {
  readonly field: RequestField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly errors: readonly string[];
}

function Input({ field: { name, shape }, value, onChange, errors }: InputProps): VNode {
  const label = labelOf(name);
  const problem = messageOf(errors, name);
  if (!shape)
    return (
      <div class="field">
        <span class="label">{label}</span>
        <CodeEditor
          label={label}
          class="codegen-sql"
          language="sql"
          value={typeof value === "string" ? value : ""}
          onInput={onChange}
          problems={problemsOf(errors, name)}
        />
        {problem && <span class="problem">{problem}</span>}
      </div>
    );
  return (
    <div class="stack tight">
      <ValueField label={label} shape={shape} value={value} onChange={onChange} />
      {problem && <span class="cause">{problem}</span>}
    </div>
  );
}
