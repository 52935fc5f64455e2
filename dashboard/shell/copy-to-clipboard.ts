/**
 * Copies text to the clipboard. Pages without encryption, such as those of a robot on the network, have no
 * `navigator.clipboard`: there the browser copies a selection.
 * @throws Error when the browser refuses
 */
export async function copyToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  const focused = document.activeElement;
  // What is outside of an open dialog cannot be selected.
  const dialogs = document.querySelectorAll("dialog[open]");
  (dialogs[dialogs.length - 1] ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("The browser refuses to copy; select the text and copy it by keyboard.");
}
