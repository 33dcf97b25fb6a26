import type { VNode } from "preact";
import { session } from "./session.ts";
import { Shell } from "./shell.tsx";
import { SignInPage } from "./sign-in.tsx";
import { isStarting } from "./start.ts";
import "./theme.ts";

export function App(): VNode {
  if (session.value) return <Shell />;
  if (isStarting.value) return <p class="loading">Signing in…</p>;
  return <SignInPage />;
}
