// Asks again, while the page is seen. An element with data-poll-s gets a `poll` event that often, in seconds:
//
//   <div id="progress" data-poll-s="2" hx-get="/cycles/7?seen=TOKEN" hx-trigger="poll" hx-swap="outerHTML">
//
// htmx then asks as it would for a click. htmx's own `every 2s [filter]` needs eval, which the CSP refuses.
// - In a hidden tab nothing is asked; shown again, what has fallen due is asked at once.
// - It stops when the answer that is swapped in has no data-poll-s any more.
// - Let the address say what is shown (`seen=`) and answer 204 while that has not changed: nothing is swapped then.
// - Give every link and button inside an id: htmx puts the focus back on the one with the same id.
// - The event does not bubble, so what polls may stand inside of what polls.
"use strict";

{
  const TICK_MS = 250;
  const due = new WeakMap(); // element → when it is asked next, in ms

  const tick = () => {
    const isSeen = document.visibilityState === "visible";
    const now = performance.now();
    for (const element of document.querySelectorAll("[data-poll-s]")) {
      const next = now + Number(element.dataset.pollS) * 1000;
      if (!due.has(element)) {
        due.set(element, next);
      } else if (isSeen && now >= due.get(element) && !element.classList.contains("htmx-request")) {
        due.set(element, next);
        element.dispatchEvent(new CustomEvent("poll"));
      }
    }
  };

  setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", tick);
}
