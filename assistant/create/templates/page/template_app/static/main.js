const slider = document.querySelector("#speed");
const status = document.querySelector("#status");

/** Sends a request to the app's routes; shows what it answers, or that it does not. */
async function ask(method, path) {
  try {
    const response = await fetch(path, { method });
    if (!response.ok) throw new Error(`${response.status}`);
    return await response.json();
  } catch {
    status.textContent = "The app does not answer. Is it running?";
    return {};
  }
}

ask("GET", "/speed").then(({ percent }) => {
  if (percent !== undefined) slider.value = percent;
});

slider.addEventListener("change", async () => {
  const answer = await ask("POST", `/speed/${slider.value}`);
  if (answer.status !== undefined) status.textContent = answer.status;
});
