/** The page: what is asked and answered stands below each other. Addresses are relative: the app may live below a prefix. */

const talk = document.getElementById("talk");
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

greet();
field.focus();

async function greet() {
  const response = await fetch("me");
  if (response.ok) document.getElementById("me").textContent = (await response.json()).name;
}

async function ask(question) {
  if (button.disabled) return;
  button.disabled = true;
  document.getElementById("welcome")?.remove();
  show("question", question);
  const place = show("answer", "…");
  place.classList.add("waiting");
  try {
    const { answer, table } = await answerTo(question);
    place.textContent = answer;
    if (table) place.append(tableOf(table));
  } catch (error) {
    place.textContent = error.message;
    place.classList.add("wrong");
  }
  place.classList.remove("waiting");
  place.scrollIntoView({ block: "end" });
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
  if (response.status === 401) throw new Error("Your visit is over: open the page with a new ticket.");
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The server answered ${response.status}.`);
  return answer;
}

function show(kind, text) {
  const place = document.createElement("div");
  place.className = `said ${kind}`;
  place.textContent = text;
  talk.append(place);
  place.scrollIntoView({ block: "end" });
  return place;
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
