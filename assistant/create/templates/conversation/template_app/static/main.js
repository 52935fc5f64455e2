const form = document.querySelector("#settings");
const at = (id) => document.getElementById(id);

const STATES = {
  idle: "Waiting for speech",
  listening: "Listening",
  thinking: "Thinking",
  speaking: "Speaking",
};

/** Sends a request to the app; throws an Error with the reason when it is refused or not answered. */
async function call(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw new Error("The app does not answer: start it again");
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(typeof answer.detail === "string" ? answer.detail : `HTTP ${response.status}`);
  return answer;
}

async function showSettings() {
  const settings = await call("settings");
  for (const [name, value] of Object.entries(settings)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  for (const hint of form.querySelectorAll("[data-key]")) {
    const provider = hint.dataset.key;
    const hasKey = settings[`${provider}_has_key`];
    form.elements[`${provider}_key`].value = "";
    hint.textContent = hasKey
      ? "A key is saved; leave this empty to keep it. Another server needs its own."
      : "No key is saved. A server of your own may need none.";
    form.querySelector(`[data-remove=${provider}]`).hidden = !hasKey;
  }
  form.querySelector("fieldset").disabled = false;
}

/** Changes the settings and shows the result. */
async function change(work) {
  try {
    const { status } = await work();
    await showSettings();
    at("saved").textContent = status;
  } catch (error) {
    at("saved").textContent = error.message;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  change(() => call("settings", { method: "POST", headers: { "content-type": "application/json" }, body }));
});

for (const button of form.querySelectorAll("[data-remove]")) {
  const remove = () => call(`settings/${button.dataset.remove}/key`, { method: "DELETE" });
  button.addEventListener("click", () => change(remove));
}

async function showStatus() {
  let status;
  try {
    status = await call("status");
  } catch (error) {
    status = { state: "", heard: at("heard").textContent, said: at("said").textContent, trouble: error.message };
  }
  at("state").textContent = STATES[status.state] ?? "";
  at("state").dataset.state = status.state;
  at("heard").textContent = status.heard;
  at("said").textContent = status.said;
  at("talk").hidden = status.heard === "";
  at("trouble").textContent = status.trouble;
  at("trouble").hidden = status.trouble === "";
  setTimeout(showStatus, 700);
}

showStatus();
showSettings().catch((error) => {
  at("saved").textContent = error.message;
});
