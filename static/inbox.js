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

  const open = (row) => {
    const link = row.querySelector("[data-beside]");
    clearTimeout(waiting);
    if (isWide.matches && link) waiting = setTimeout(() => link.click(), WAIT_MS);
  };
  const shown = () => beside.querySelector("[data-cause]")?.dataset.cause;

  // keys.js tells which row the keyboard went to.
  document.addEventListener("row:current", (event) => open(event.target));

  // Keys act on the row with the focus: what stands beside the list follows it, as where a verdict is taken back.
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest?.(".cause-row");
    if (row && shown() && row.id !== `cause-${shown()}`) open(row);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-close-beside]")) close();
  });

  // What is shown beside the list goes with its row.
  document.addEventListener("htmx:afterSwap", (event) => {
    const row = event.target.closest?.(".cause-row-judged") ?? event.detail.elt?.closest?.(".cause-row-judged");
    if (row && row.id === `cause-${shown()}`) close();
  });
}
