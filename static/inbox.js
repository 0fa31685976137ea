// The inbox: a cause opens beside the list where there is room for both; elsewhere its link leads to its page.
"use strict";

{
  const isWide = window.matchMedia("(min-width: 1100px)");
  const beside = document.getElementById("beside");
  const WAIT_MS = 120; // a row that is only passed by is not asked for
  let waiting;

  const close = () => {
    clearTimeout(waiting);
    beside.replaceChildren();
  };

  // htmx asks before each request: on narrow screens the link is a link.
  document.addEventListener("htmx:confirm", (event) => {
    if (!event.target.matches?.("[data-beside]") || isWide.matches) return;
    event.preventDefault();
    location.assign(event.target.href);
  });

  // keys.js tells which row the keyboard went to.
  document.addEventListener("row:current", (event) => {
    const link = event.target.querySelector("[data-beside]");
    clearTimeout(waiting);
    if (!isWide.matches || !link) return;
    waiting = setTimeout(() => link.click(), WAIT_MS);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-close-beside]")) close();
  });

  // What is shown beside the list goes with its row.
  document.addEventListener("htmx:afterSwap", (event) => {
    const row = event.target.closest?.(".cause-row-judged") ?? event.detail.elt?.closest?.(".cause-row-judged");
    const shown = beside.querySelector("[data-cause]")?.dataset.cause;
    if (row && row.id === `cause-${shown}`) close();
  });
}
