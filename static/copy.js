// Copies text. A button names the element whose text it copies, and says so when it has:
//
//   <button type="button" data-copy="command"><span aria-live="polite">Copy</span></button>  <code id="command">…</code>
//
// Copied is what stands in the element, without the names of code points (.code-points); where it holds <pre>s, what stands in these, one after the other.
// Without JavaScript the buttons are not there (:root:not(.scripted) in runs.css); the text can be selected in any case.
"use strict";

document.documentElement.classList.add("scripted");

{
  const SAID_MS = 2000;

  const textOf = (element) => {
    if ("value" in element) return element.value;
    const plain = element.cloneNode(true);
    for (const named of plain.querySelectorAll(".code-points")) named.remove();
    const whole = plain.querySelectorAll("pre");
    return whole.length ? Array.from(whole, (pre) => pre.textContent).join("") : plain.textContent;
  };

  // For pages over plain HTTP, where browsers offer no clipboard to scripts.
  const copySelected = (text) => {
    const before = document.activeElement;
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "copied-from";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus({ preventScroll: true });
    return done;
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copySelected(text); // no clipboard, or none that we may use
    }
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    const source = button && document.getElementById(button.dataset.copy);
    if (!source) return;
    const label = button.querySelector("[aria-live]") ?? button;
    button.dataset.label ??= label.textContent;
    label.textContent = (await copy(textOf(source))) ? "Copied" : "Not copied: select the text";
    clearTimeout(button.again);
    button.again = setTimeout(() => {
      label.textContent = button.dataset.label;
    }, SAID_MS);
  });
}
