import type { Agent } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { postStream } from "../../app/client.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { readAnswer } from "./answer.ts";

interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

interface ChatProps {
  readonly agent: Agent;
  readonly environment: { readonly id: string; readonly name: string };
}

/**
 * Tries an agent: each question is sent to its endpoint with the whole conversation, and the answer is shown as it
 * arrives.
 */
export function Chat({ agent, environment }: ChatProps): VNode {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<string | undefined>();
  const [problem, setProblem] = useState<Error | undefined>();
  const running = useRef<AbortController | undefined>(undefined);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [messages, answer]);

  const endpoint = agent.components.find(
    (one) => one.component === "agent_endpoint" && one.environment_id === environment.id,
  );
  const why =
    endpoint?.observed_state === "running"
      ? undefined
      : `Its endpoint does not run in ${environment.name}: start it first.`;

  const send = async () => {
    const question = text.trim();
    if (question === "" || why !== undefined || answer !== undefined) return;
    const sent = [...messages, { role: "user", content: question } as const];
    const controller = new AbortController();
    running.current = controller;
    setMessages(sent);
    setText("");
    setAnswer("");
    setProblem(undefined);
    try {
      const path = `/agents/${encodeURIComponent(agent.id)}/invocations`;
      const response = await postStream(path, { messages: sent }, environment.id, controller.signal);
      const content = await readAnswer(response, setAnswer);
      setMessages([...sent, { role: "assistant", content }]);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(error instanceof Error ? error : new Error(String(error)));
    }
    setAnswer(undefined);
  };

  return (
    <section class="card chat" aria-label={`Chat with ${agent.name} in ${environment.name}`}>
      <ol ref={list} aria-live="polite">
        {messages.length === 0 && (
          <li class="soft">Ask {agent.name} something. What you write here is not stored.</li>
        )}
        {messages.map(({ role, content }, at) => (
          <li key={`${role} ${at}`} class={role}>
            <span class="faint">{role === "user" ? "You" : agent.name}</span>
            <p>{content}</p>
          </li>
        ))}
        {answer !== undefined && (
          <li class="assistant" aria-busy="true">
            <span class="faint">{agent.name}</span>
            <p>{answer || "…"}</p>
          </li>
        )}
      </ol>
      {problem && <ErrorBox error={problem} />}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <input
          class="input grow"
          aria-label={`Message to ${agent.name}`}
          placeholder={`Message to ${agent.name}`}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {answer === undefined ? (
          <Button kind="primary" type="submit" whyNot={why}>
            <Icon name="play" />
            Send
          </Button>
        ) : (
          <Button onClick={() => running.current?.abort()}>
            <Icon name="stop" />
            Stop
          </Button>
        )}
        <Button
          onClick={() => {
            running.current?.abort();
            setMessages([]);
            setProblem(undefined);
          }}
          whyNot={messages.length === 0 ? "Nothing was said yet." : undefined}
        >
          Start over
        </Button>
      </form>
    </section>
  );
}
