/** Shows questions and answers as a conversation. Addresses are relative, because the app may be served below a prefix. */

const conversation = document.getElementById("conversation");
const form = document.getElementById("ask");
const field = document.getElementById("question");
const button = form.querySelector("button");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const question = field.value.trim();
  if (question !== "") ask(question);
});

document.getElementById("examples").addEventListener("click", ({ target }) => {
  if (target instanceof HTMLButtonElement) ask(target.textContent);
});

showUser();
field.focus();

async function showUser() {
  const response = await fetch("me");
  if (response.ok) document.getElementById("user").textContent = (await response.json()).name;
}

async function ask(question) {
  if (button.disabled) return;
  button.disabled = true;
  document.getElementById("welcome")?.remove();
  show("question", question);
  const message = show("answer", "…");
  message.classList.add("waiting");
  try {
    const { answer, table } = await answerTo(question);
    message.textContent = answer;
    if (table) message.append(tableOf(table));
  } catch (error) {
    message.textContent = error.message;
    message.classList.add("error");
  }
  message.classList.remove("waiting");
  message.scrollIntoView({ block: "end" });
  button.disabled = false;
  field.value = "";
  field.focus();
}

async function answerTo(question) {
  const response = await fetch("ask", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ question }),
  }).catch(() => {
    throw new Error("The page cannot reach its server.");
  });
  if (response.status === 401) throw new Error("Your session has expired. Open the app with a new ticket.");
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The server answered ${response.status}.`);
  return answer;
}

function show(kind, text) {
  const message = document.createElement("div");
  message.className = `message ${kind}`;
  message.textContent = text;
  conversation.append(message);
  message.scrollIntoView({ block: "end" });
  return message;
}

function tableOf({ columns, rows }) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const column of columns) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = column;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const value of row) line.insertCell().textContent = value;
  }
  const scroll = document.createElement("div");
  scroll.className = "scroll";
  scroll.tabIndex = 0;
  scroll.append(table);
  return scroll;
}
