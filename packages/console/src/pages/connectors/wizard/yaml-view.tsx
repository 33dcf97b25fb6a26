import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { parse, stringify } from "yaml";
import { CodeEditor } from "../../../ui/code-editor.tsx";
import { type Config, maskedConfig, unmaskedConfig } from "./config.ts";
import type { ConnectorKind } from "./kinds.ts";

interface YamlViewProps {
  readonly kind: ConnectorKind;
  readonly config: Config;
  readonly onChange: (config: Config) => void;
  /** Undefined: the text is valid. */
  readonly onProblem: (problem: string | undefined) => void;
}

/** All settings of the connection as YAML, including those that the form does not have. */
export default function YamlView({ kind, config, onChange, onProblem }: YamlViewProps): VNode {
  const [text, setText] = useState(() => {
    const masked = maskedConfig(kind, config);
    return Object.keys(masked).length === 0 ? "" : stringify(masked);
  });
  const [problem, setProblem] = useState<string | undefined>();
  const say = (found: string | undefined) => {
    setProblem(found);
    onProblem(found);
  };
  const change = (written: string) => {
    setText(written);
    try {
      const read: unknown = parse(written) ?? {};
      if (typeof read !== "object" || Array.isArray(read)) return say("Write settings, each as name: value.");
      say(undefined);
      onChange(unmaskedConfig(kind, read as Config, config));
    } catch (error) {
      say(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
    }
  };
  return (
    <div class="field">
      <CodeEditor label="Connection as YAML" language="yaml" value={text} onInput={change} />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
