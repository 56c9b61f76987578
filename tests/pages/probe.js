// SPDX-License-Identifier: Apache-2.0
// Added to a copy of a page: replaces it by what a reader sees of it, as JSON.
addEventListener("load", () => {
  const place = (query) => {
    const found = document.querySelector(query);
    const box = found?.getBoundingClientRect();
    return found ? {left: box.left, top: box.top + scrollY, right: box.right, bottom: box.bottom + scrollY} : null;
  };
  // Texts of a chart that lie on each other.
  const overlaps = [];
  for (const chart of document.querySelectorAll("svg")) {
    const boxes = [...chart.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    boxes.forEach(([one, a], n) => boxes.slice(n + 1).forEach(([other, b]) => {
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) overlaps.push([one, other]);
    }));
  }
  const broken = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"))
    .filter((target) => !target.startsWith("#") || !document.getElementById(target.slice(1)));
  const seen = {
    text: document.body.innerText,
    links: document.querySelectorAll("a").length,
    broken,
    overlaps,
    folded: [...document.querySelectorAll("details:not([open]) summary")].map((each) => each.innerText),
    loaded: performance.getEntriesByType("resource").map((each) => each.name),
    width: document.documentElement.scrollWidth,
    window: innerWidth,
    figures: place("main > :first-child"),
    source: place("main > section"),
  };
  const told = document.createElement("pre");
  told.id = "seen";
  told.textContent = JSON.stringify(seen);
  document.body.replaceChildren(told);
});
