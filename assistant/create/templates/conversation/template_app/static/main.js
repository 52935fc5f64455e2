const form = document.querySelector("#settings");
const at = (id) => document.getElementById(id);

const STATES = {
  idle: "Waiting for somebody to speak",
  listening: "Listening",
  thinking: "Thinking",
  speaking: "Speaking",
};

/** Calls the app; throws an Error with its reason when it refuses or is not there. */
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
    if (form.elements[name] && name !== "api_key") form.elements[name].value = value;
  }
  form.elements.api_key.value = "";
  at("key").textContent = settings.has_key
    ? "A key is kept; leave this empty to keep it. Another server needs its own."
    : "There is no key. A server of your own may need none.";
  at("forget").hidden = !settings.has_key;
  form.querySelector("fieldset").disabled = false;
}

/** Does something with the settings, and tells how it went. */
async function act(work) {
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
  act(() => call("settings", { method: "POST", headers: { "content-type": "application/json" }, body }));
});

at("forget").addEventListener("click", () => act(() => call("settings/api_key", { method: "DELETE" })));

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
