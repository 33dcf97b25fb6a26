import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Editor, Problem, Suggestion } from "../editor/editor.ts";

interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly language: "sql" | "yaml" | "text";
  readonly onInput?: (value: string) => void;
  /** Ctrl-Enter or Cmd-Enter: with the selected text, empty if nothing is selected. */
  readonly onSubmit?: (selection: string) => void;
  readonly problems?: readonly Problem[];
  readonly suggest?: (word: string, before: string) => readonly Suggestion[] | Promise<readonly Suggestion[]>;
  readonly isReadOnly?: boolean;
  readonly class?: string;
}

/** An editor of SQL or YAML. Its script is loaded when one is first shown. Tab leaves it, Escape and Tab too. */
export function CodeEditor(props: CodeEditorProps): VNode {
  const { label, value, language, problems, isReadOnly = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  // What the editor calls is always that of the last rendering.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isGone = false;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    void import("../editor/editor.ts").then(({ createEditor }) => {
      if (isGone) return;
      const { current } = latest;
      const made = createEditor({
        parent,
        root,
        label,
        language,
        value: current.value,
        isReadOnly: current.isReadOnly ?? false,
        onChange: (text) => latest.current.onInput?.(text),
        onSubmit: () => latest.current.onSubmit?.(made.selection()),
        suggest: (word, before) => latest.current.suggest?.(word, before) ?? [],
      });
      made.setProblems(current.problems ?? []);
      editor.current = made;
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
      parent.remove();
    };
  }, [label, language]);
  useEffect(() => editor.current?.setValue(value), [value]);
  useEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly]);
  useEffect(() => editor.current?.setProblems(problems ?? []), [problems]);
  return <div ref={host} class={`code-editor ${props.class ?? ""}`} />;
}
