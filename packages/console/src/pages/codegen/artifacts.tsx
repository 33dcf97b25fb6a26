import type { CodegenResponse } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { Icon } from "../../ui/icons.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { tarOf } from "./tar.ts";

type Artifact = CodegenResponse["artifacts"][number];

/** The generator's evidence for a file. */
interface Evidence {
  readonly about?: string;
  readonly sha256?: string;
  readonly checks?: readonly { readonly check: string; readonly detail: string }[];
  readonly secrets?: readonly unknown[];
}

const bytesOf = ({ content, is_base64 }: Artifact): Uint8Array<ArrayBuffer> =>
  is_base64 ? Uint8Array.fromBase64(content) : new TextEncoder().encode(content);
const textOf = (artifact: Artifact) => new TextDecoder().decode(bytesOf(artifact));
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

interface ArtifactsProps {
  readonly artifacts: readonly Artifact[];
  readonly name: string;
}

/** The generated files with their evidence. */
export function Artifacts({ artifacts, name }: ArtifactsProps): VNode {
  const [path, setPath] = useState(artifacts[0]?.path);
  const shown = artifacts.find((one) => one.path === path) ?? artifacts[0];
  const saveAll = () =>
    saveFile(
      `${name}.tar`,
      tarOf(artifacts.map((one) => ({ path: one.path, bytes: bytesOf(one) }))) as BlobPart[],
      "application/x-tar",
    );
  return (
    <section class="artifacts" aria-label="Generated files">
      <div class="toolbar">
        <h2 class="grow">{counted(artifacts.length, "file")}</h2>
        <Button onClick={saveAll}>
          <Icon name="download" />
          Download all
        </Button>
      </div>
      <ul class="files">
        {artifacts.map((one) => (
          <li key={one.path}>
            <button
              type="button"
              class="file mono"
              aria-pressed={one.path === shown?.path}
              onClick={() => setPath(one.path)}
            >
              {one.path}
            </button>
          </li>
        ))}
      </ul>
      {shown && <File artifact={shown} />}
    </section>
  );
}

function File({ artifact }: { artifact: Artifact }): VNode {
  const evidence = (artifact.metadata ?? {}) as Evidence;
  const language = artifact.file_type === "sql" ? "sql" : artifact.file_type === "yaml" ? "yaml" : "text";
  return (
    <>
      <div class="toolbar">
        <span class="grow soft">{evidence.about}</span>
        <Button onClick={() => saveFile(nameOf(artifact.path), [bytesOf(artifact)])}>
          <Icon name="download" />
          Download {nameOf(artifact.path)}
        </Button>
      </div>
      <CodeEditor
        key={artifact.path}
        label={`Content of ${artifact.path}`}
        class="artifact-text"
        language={language}
        value={textOf(artifact)}
        isReadOnly
      />
      <dl class="facts">
        {evidence.checks?.map(({ check, detail }) => (
          <>
            <dt key={`${check} name`}>
              <span class="status good">{check}</span>
            </dt>
            <dd key={check}>{detail}</dd>
          </>
        ))}
        {evidence.secrets && evidence.secrets.length > 0 && (
          <>
            <dt>Secrets to create</dt>
            <dd>
              <code>{evidence.secrets.map((one) => JSON.stringify(one)).join(", ")}</code>
            </dd>
          </>
        )}
        {evidence.sha256 && (
          <>
            <dt>SHA-256</dt>
            <dd>
              <code>{evidence.sha256}</code>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}
