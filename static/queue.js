// The queue: how many rows are selected, groups that fold again, one undo for a row and its toast, news in the title.
"use strict";

// --- selected rows ---
{
  const form = document.getElementById("selection");

  if (form) {
    const chosen = form.querySelector("[data-chosen]");
    const boxes = () => [...document.querySelectorAll('input[name="row"][form="selection"]')];
    let last; // the box that was clicked last: a range begins there

    const label = document.createElement("label");
    label.className = "queue-acts-all";
    const all = document.createElement("input");
    all.type = "checkbox";
    label.append(all, " all on this page");
    form.prepend(label);

    const count = () => {
      const known = boxes();
      const selected = known.filter((box) => box.checked).length;
      chosen.textContent = selected ? `${selected} selected` : "None selected";
      for (const button of form.querySelectorAll("button")) button.disabled = !selected;
      all.checked = selected > 0 && selected === known.length;
      all.indeterminate = selected > 0 && selected < known.length;
      all.disabled = !known.length;
    };

    all.addEventListener("change", () => {
      for (const box of boxes()) box.checked = all.checked;
      count();
    });

    document.addEventListener("click", (event) => {
      const known = boxes();
      const at = known.indexOf(event.target);
      if (at < 0) return;
      const from = event.shiftKey ? known.indexOf(last) : -1;
      if (from >= 0) {
        for (const box of known.slice(Math.min(from, at), Math.max(from, at) + 1)) box.checked = event.target.checked;
      }
      last = event.target;
      count();
    });

    // A click with Shift selects text as well, from wherever the last one was.
    document.addEventListener("mousedown", (event) => {
      if (event.shiftKey && boxes().includes(event.target)) event.preventDefault();
    });

    document.addEventListener("htmx:afterSettle", count); // rows came, or one lost its box
    window.addEventListener("pageshow", count); // browsers fill in what was selected when one comes back
    count();
  }
}

// --- groups: the link that opened one folds it again ---
{
  const rowsOf = (link) => link.closest("[data-row]").querySelector(".queue-group-rows");

  document.addEventListener("htmx:confirm", (event) => {
    const link = event.target;
    if (!link.matches?.("[data-opens]") || link.getAttribute("aria-expanded") !== "true") return;
    event.preventDefault();
    rowsOf(link).replaceChildren();
    link.setAttribute("aria-expanded", "false");
    link.firstChild.textContent = "Show";
    document.dispatchEvent(new CustomEvent("htmx:afterSettle")); // what is selected is counted again
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    const link = event.detail.requestConfig?.elt;
    if (!link?.matches?.("[data-opens]")) return;
    link.setAttribute("aria-expanded", "true");
    link.firstChild.textContent = "Hide";
  });
}

// --- the undo of a toast: where its row is on the page, it is that row's, which then comes back in place; else the
// --- page is loaded again, at that row
{
  document.addEventListener("submit", (event) => {
    const toast = event.target.closest(".toasts .toast");
    const name = toast && !event.target.hasAttribute("hx-post") && toast.id.slice("toast-".length);
    const row = name && (document.getElementById(name) ?? document.querySelector(`[data-toast="${name}"]`));
    const undo = row && row.querySelector(':scope > :is(.queue-row-acts, .cause-row-undo) [data-key="u"]');
    if (undo) {
      event.preventDefault();
      undo.click();
    } else if (name) {
      document.dispatchEvent(new CustomEvent("row:back", { detail: name }));
    }
  });
}

// --- news: in the title, and announced once to screen readers ---
{
  const title = document.title;
  const announcement = document.getElementById("news-announcement");

  const tell = () => {
    const news = document.getElementById("news");
    if (!news) return;
    const flagged = Number(news.dataset.flagged);
    document.title = flagged ? `(${flagged}) ${title}` : title;
    const words = news.querySelector(".news-fresh")?.textContent ?? "";
    if (announcement.textContent !== words) announcement.textContent = words;
  };

  document.addEventListener("htmx:afterSettle", tell);
}
