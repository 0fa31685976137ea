// Copies text. A button names the element whose text it copies, and says so when it has:
//
//   <button type="button" data-copy="command"><span aria-live="polite">Copy</span></button>  <code id="command">…</code>
//
// Copied is what stands in the element, without the names of code points (.code-points); where it holds <pre>s, what stands in these, one after the other.
// A link that copies before it is followed names the element in data-copies; data-asks is what it asks first. The page
// that it leads to says what was copied:
//
//   <a href="/status" data-copies="command" data-asks="It deletes something. Copy it?">Run</a>
//
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

  const COPIED = "copied command"; // in the tab's storage, from one page to the next

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[data-copies]");
    const source = link && document.getElementById(link.dataset.copies);
    if (!source) return;
    event.preventDefault();
    if (link.dataset.asks && !confirm(link.dataset.asks)) return;
    const text = textOf(source);
    if (await copy(text)) sessionStorage.setItem(COPIED, text);
    location.assign(link.href);
  });

  addEventListener("pageshow", () => {
    const text = sessionStorage.getItem(COPIED);
    sessionStorage.removeItem(COPIED);
    if (!text) return;
    const said = document.createElement("p");
    said.className = "note success";
    said.setAttribute("role", "status");
    document.querySelector("main")?.prepend(said);
    said.append("Copied. Run it in a terminal of the server: ", Object.assign(document.createElement("code"), { textContent: text }));
  });

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
