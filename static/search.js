// The box that searches from every page: Ctrl-K or ⌘K, or what has data-opens-search and so the key / where the page has
// no field of its own for it. What it shows is a part of the page /search, which does the same without a script.
//
// - htmx asks 200 ms after the last letter, and a new question cancels the one before (hx-sync in search_box.html).
// - Arrow keys go from the field through the results; letters go back to the field; Enter opens, Escape closes.
// - Links to /search are followed inside the box: they fill in its form.
// - A result that is opened is noted, and so is the last query of a box that is left: what is asked while typing says
//   nothing about what people look for. Both by beacon, which outlives the page.
"use strict";

{
  const note = document.getElementById("search-note");
  let noted = ""; // the query that was told last

  const tell = (values) => {
    const data = new FormData(note);
    for (const [name, value] of Object.entries(values)) data.append(name, value);
    navigator.sendBeacon(note.action, data);
  };

  // --- the box, made when it is opened for the first time ---

  const make = () => {
    const box = document.getElementById("search-box-template").content.firstElementChild.cloneNode(true);
    document.body.append(box);
    const [form, field, results, said] = ["form", "q", "results", "said"].map((name) => document.getElementById(`search-box-${name}`));
    const ask = () => htmx.trigger(form, "search-box:ask");
    htmx.process(box);

    const step = (by) => {
      const all = [field, ...results.querySelectorAll("[data-hit]")];
      const inside = document.activeElement.closest(".search-hit")?.querySelector("[data-hit]");
      const at = Math.max(all.indexOf(inside ?? document.activeElement), 0);
      const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
      next.focus();
      (next.closest(".search-hit") ?? next).scrollIntoView({ block: "nearest" });
    };

    box.addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      if (key === "Escape") {
        event.preventDefault(); // or browsers empty the field first
        box.close();
      } else if (["ArrowDown", "ArrowUp"].includes(key) && !target.matches("[type=radio], pre")) {
        event.preventDefault();
        step(key === "ArrowDown" ? 1 : -1);
      } else if (key.length === 1 && key !== " " && target.matches("[data-hit]")) {
        field.focus(); // the letter goes there
      }
    });

    box.addEventListener("click", (event) => {
      const isBeside = event.target === box; // its backdrop
      if (isBeside || event.target.closest("[data-closes-search]")) box.close();
      const link = event.target.closest("a[href]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const url = new URL(link.href);
      if (url.origin !== location.origin || url.pathname !== new URL(form.action).pathname) return;
      event.preventDefault();
      field.value = url.searchParams.get("q") ?? "";
      const kind = url.searchParams.get("kind") ?? "";
      for (const radio of form.querySelectorAll("[name=kind]")) radio.checked = radio.value === kind;
      field.focus();
      ask();
    });

    results.addEventListener("htmx:afterSwap", (event) => {
      if (event.target !== results) return; // the thumbs of one result
      results.scrollTop = 0;
      said.textContent = results.querySelector("[data-said]").dataset.said;
    });

    box.addEventListener("close", () => noteQuery(box));
    form.addEventListener("submit", () => {
      noted = shownQuery(box); // the page counts it
    });
    ask();
    return box;
  };

  const shownQuery = (box) => box.querySelector("[data-asked]")?.dataset.asked ?? "";

  // The id of a result where one was opened.
  const noteQuery = (box, id) => {
    const q = shownQuery(box);
    const isNew = q !== "" && q !== noted;
    if (isNew) noted = q;
    if (isNew || id) tell({ ...(id && { id }), ...(isNew && { q, place: "box" }) });
  };

  const open = () => {
    if (document.querySelector("dialog[open]")) return;
    const box = document.getElementById("search-box") ?? make();
    box.showModal(); // gives the focus back when it closes
    const field = document.getElementById("search-box-q");
    field.focus();
    field.select();
  };

  document.addEventListener("keydown", (event) => {
    const isOurs = event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
    if (!isOurs || event.isComposing || document.body.dataset.keyboard === "off") return;
    event.preventDefault(); // or a browser goes to its own field
    open();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-opens-search]")) open();
  });

  // --- results, in the box and on the page ---

  const noteOpened = (event) => {
    const hit = event.target.closest?.("[data-hit]");
    const box = hit?.closest("dialog");
    if (box) noteQuery(box, hit.dataset.hit);
    else if (hit) tell({ id: hit.dataset.hit });
  };
  document.addEventListener("click", noteOpened);
  document.addEventListener("auxclick", (event) => {
    if (event.button === 1) noteOpened(event); // into another tab
  });

  // On the page a type is chosen by one click.
  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("main .search-form");
    if (form?.elements.q.value.trim() && event.target.matches("[type=radio], select")) form.requestSubmit();
  });
}
