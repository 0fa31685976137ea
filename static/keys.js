// The keyboard. What a key presses carries it in the page: data-key="d". Rows are what carries data-row.
//
// - j and k go to the next and the previous row; a page without rows may have links that carry them.
// - Any other key presses what carries it in the current row, or else in the page outside of rows; a field gets the focus.
// - Where rows are selected, a key presses what carries it for all of these: data-selection-key="d".
//   Where none is, and nothing else answers, what carries data-row-alone as well does it for the current row.
// - d, and what carries data-moves-on, moves to the next row that can be dismissed, at once: the next d never hits a
//   row that was not looked at.
// - ? opens a sheet of all keys, the same on every page: <template id="keys"> of shared/key_sheet.html.
// - Escape leaves a field, and what was typed stays.
// - Silent in fields, beside Ctrl, Alt and Meta, in an open dialog, and while the profile says so (<body data-keyboard>).
"use strict";

{
  const FIELD = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit])";
  const HELD_DOWN = ["j", "k"]; // all other keys act once, however long they are held

  const rows = () => [...document.querySelectorAll("[data-row]")];
  const canBeLeft = (element) => element.matches?.(FIELD) && document.body.dataset.keyboard !== "off" && !element.closest("dialog");
  const currentRow = () => document.querySelector("[data-row][aria-current]");
  const canBePressed = (element) => !element.disabled && element.checkVisibility();

  // A row may hold rows, and what stands in these is theirs.
  const inRow = (row, key) =>
    [...row.querySelectorAll(`[data-key="${key}"]`)].find((element) => element.closest("[data-row]") === row && canBePressed(element));

  const outsideRows = (key) => {
    const found = [...document.querySelectorAll(`[data-key="${key}"]`)].filter((element) => !element.closest("[data-row]") && canBePressed(element));
    return found.find((element) => element.closest("main")) ?? found[0];
  };

  const ofSelection = (key) => {
    const button = document.querySelector(`#selection [data-selection-key="${key}"]`);
    return button && canBePressed(button) ? button : undefined; // queue.js disables it while nothing is selected
  };

  // Where nothing is selected: what is done to all that are, for the current row alone.
  const ofRowAlone = (row, key) => {
    const box = row && inRow(row, "x");
    if (!box || !document.querySelector(`#selection [data-selection-key="${key}"][data-row-alone]`)) return undefined;
    box.click();
    const button = ofSelection(key);
    if (!button) box.click();
    return button;
  };

  const mark = (row) => {
    const before = currentRow();
    if (before === row) return;
    before?.removeAttribute("aria-current");
    row?.setAttribute("aria-current", "true");
  };

  const goTo = (row) => {
    mark(row);
    const link = inRow(row, "o") ?? inRow(row, "u");
    link?.focus({ preventScroll: true });
    const head = row.querySelector("[data-row]") ? link : row; // an open group is taller than the window
    (head ?? row).scrollIntoView({ block: "nearest" });
    row.dispatchEvent(new CustomEvent("row:current", { bubbles: true }));
  };

  const step = (by) => {
    const all = rows();
    const at = all.indexOf(currentRow());
    const next = at < 0 ? all[0] : all[at + by];
    if (next) goTo(next);
    else if (by > 0) [...document.querySelectorAll(".older a[hx-get]")].at(-1)?.click(); // what comes takes the focus
  };

  const nextToDismiss = (row) => {
    const all = rows();
    const at = all.indexOf(row);
    const open = (other) => !row.contains(other) && !other.contains(row) && other.querySelector('[data-key="d"]');
    return all.slice(at + 1).find(open) ?? all.slice(0, at).reverse().find(open);
  };

  // --- rows that answer to a key: by htmx in place, or by a page that is loaded again ---

  const leaving = new Set(); // ids of rows that were dismissed by the keyboard, and are not current any more
  const here = () => `row of ${location.pathname}${location.search}`;

  const press = (element, key, row) => {
    if (element.matches("input, textarea, select") && element.matches(FIELD)) {
      element.focus();
      element.select?.();
      return;
    }
    const next = row && element.matches("[data-key=d], [data-moves-on]") ? nextToDismiss(row) : undefined;
    const isInPlace = element.closest("[hx-get], [hx-post]") !== null;
    if (row && !isInPlace) sessionStorage.setItem(here(), (next ?? row).id); // found again when the page comes back
    element.click();
    if (next && isInPlace) {
      leaving.add(row.id);
      goTo(next);
    }
  };

  // htmx focuses what is autofocus in the answer; the row that was left behind must not call the reader back.
  document.addEventListener("htmx:afterSwap", (event) => {
    const row = event.target.closest?.("[data-row]");
    if (!row || !leaving.delete(row.id)) return;
    for (const element of row.querySelectorAll("[autofocus]")) element.removeAttribute("autofocus");
  });

  document.addEventListener("focusin", (event) => {
    const row = event.target.closest("[data-row]");
    if (row) mark(row);
  });

  // The row of this name will be in the page when it comes back; where it is not, the current one is gone to.
  document.addEventListener("row:back", (event) => {
    sessionStorage.setItem(here(), `${event.detail} ${currentRow()?.id ?? ""}`);
  });

  window.addEventListener("pageshow", () => {
    const ids = sessionStorage.getItem(here())?.trim().split(" ") ?? [];
    sessionStorage.removeItem(here());
    const row = ids.map((id) => document.getElementById(id)).find((found) => found);
    if (row) goTo(row);
  });

  // --- the sheet ---

  const openSheet = () => {
    const dialog = document.getElementById("keys").content.firstElementChild.cloneNode(true);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal(); // gives the focus back when it closes
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-opens-keys]")) openSheet();
  });

  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (key === "Escape" && canBeLeft(event.target)) {
      event.preventDefault(); // or browsers empty a search field
      event.target.blur();
      return;
    }
    const isOurs = event.shiftKey ? /^[/?]$/.test(key) : /^[a-z/?]$/.test(key); // on some keyboards / stands beside Shift
    if (!isOurs || (event.repeat && !HELD_DOWN.includes(key))) return;
    if (document.body.dataset.keyboard === "off" || event.target.closest?.(FIELD)) return;
    if (document.querySelector("dialog[open]")) return;
    if (key === "?") {
      event.preventDefault();
      openSheet();
      return;
    }
    if (HELD_DOWN.includes(key) && document.querySelector("[data-row]")) {
      event.preventDefault();
      step(key === "j" ? 1 : -1);
      return;
    }
    const row = currentRow();
    const selection = ofSelection(key);
    const inside = selection ? undefined : row && inRow(row, key);
    const answer = selection || inside || outsideRows(key);
    const element = answer || ofRowAlone(row, key);
    if (!element) return;
    event.preventDefault();
    press(element, key, inside || !answer ? row : undefined);
  });
}
