// Comfort only: every page works without it. Nothing is fetched, nothing is stored.
"use strict";

// "/" goes to the first filter, "j" and "k" walk the rows of a table, as in a mail program.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  if (event.key === "/") {
    const field = document.querySelector(".filters input:not([type=hidden]), .filters select");
    if (field) { event.preventDefault(); field.focus(); }
  }
  if (event.key === "j" || event.key === "k") {
    const links = [...document.querySelectorAll("main tbody tr a[href]:first-of-type")];
    if (!links.length) return;
    const now = links.indexOf(document.activeElement);
    const next = event.key === "j" ? Math.min(now + 1, links.length - 1) : Math.max(now - 1, 0);
    links[next].focus();
  }
});

// A filter that was chosen applies at once; the button stays for the keyboard.
for (const select of document.querySelectorAll(".filters select")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

// A form is sent once: the second click of an impatient hand must not restore twice.
for (const form of document.querySelectorAll("form[method=post]:not([data-again])")) {
  form.addEventListener("submit", () => {
    setTimeout(() => { for (const b of form.querySelectorAll("button")) b.disabled = true; }, 0);
  });
}
