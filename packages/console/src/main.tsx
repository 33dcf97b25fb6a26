import { render } from "preact";
import { App } from "./app/app.tsx";
import { start } from "./app/start.ts";

const root = document.getElementById("app");
if (root) {
  void start();
  render(<App />, root);
}
