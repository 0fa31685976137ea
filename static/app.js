// Says so when a request of htmx came to nothing: htmx itself would leave the page as it is, in silence.
"use strict";

const trouble = document.getElementById("trouble");

function say(text) {
  if (!trouble.hidden && trouble.firstElementChild.textContent === text) return; // a page that polls says it once
  trouble.firstElementChild.textContent = text;
  trouble.hidden = false;
}

if (trouble) {
  const { unreachable, outdated, failed } = trouble.dataset;
  document.addEventListener("htmx:sendError", () => say(unreachable));
  document.addEventListener("htmx:responseError", (event) => {
    const { xhr } = event.detail;
    // Of all 403s, a role's refusal alone is bare text, and says itself what is missing.
    const isRefusal = xhr.status === 403 && (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
    say(isRefusal ? xhr.responseText : [403, 404].includes(xhr.status) ? outdated : failed);
  });
  document.addEventListener("htmx:afterSwap", () => {
    trouble.hidden = true;
  });
  trouble.querySelector("button").addEventListener("click", () => {
    trouble.hidden = true;
  });
}
