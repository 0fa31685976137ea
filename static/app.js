// Says so when a request of htmx came to nothing: htmx itself would leave the page as it is, in silence.
// And empties the field of a note once the note is kept: any other act leaves there what was typed (hx-preserve).
"use strict";

const trouble = document.getElementById("trouble");

let isPollFailing = false; // said once, not again with every poll after it was closed

function say(text, element) {
  if (element.matches("[data-poll-s]")) {
    if (isPollFailing) return;
    isPollFailing = true;
  }
  trouble.firstElementChild.textContent = text;
  trouble.hidden = false;
}

if (trouble) {
  const { unreachable, outdated, failed } = trouble.dataset;
  document.addEventListener("htmx:sendError", (event) => say(unreachable, event.target));
  document.addEventListener("htmx:responseError", (event) => {
    const { xhr } = event.detail;
    // A refusal is bare text and says itself what is missing; no other answer of these statuses is.
    const isRefusal = [403, 409].includes(xhr.status) && (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
    say(isRefusal ? xhr.responseText : [403, 404].includes(xhr.status) ? outdated : failed, event.target);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful || !isPollFailing || !event.detail.requestConfig.elt.matches("[data-poll-s]")) return;
    isPollFailing = false;
    trouble.hidden = true;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (!event.detail?.elt?.matches("[data-poll-s]")) trouble.hidden = true; // what failed before news came is said still
  });
  trouble.querySelector("button").addEventListener("click", () => {
    trouble.hidden = true;
  });
}

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful || !detail.requestConfig.elt.matches("form.noting")) return; // detail.elt is gone by then
  const isRefused = document.querySelector("#page > .messages .error") !== null;
  if (!isRefused) document.getElementById("note").value = "";
});
