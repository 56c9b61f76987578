// SPDX-License-Identifier: Apache-2.0
// In a page of frames: replaces it by what is seen in each of them, as JSON.
addEventListener("load", () => {
  const seenIn = (frame) => {
    const page = frame.contentDocument;
    const name = (element) => `${element.localName}.${element.getAttribute("class") ?? ""}: ${element.textContent.slice(0, 40)}`;
    const seen = [...page.body.querySelectorAll("*")].map((element) => [element, element.getBoundingClientRect()])
      .filter(([, box]) => box.width > 0 && box.height > 0);
    const boxes = (query) => seen.filter(([element]) => element.matches(query)).map(([, box]) => box);
    return {
      name: frame.name,
      window: frame.contentWindow.innerWidth,
      outside: seen.filter(([, box]) => box.left < -0.5 || box.right > frame.contentWindow.innerWidth + 0.5)
        .map(([element]) => name(element)),
      left: Math.min(...boxes("main > *").map((box) => box.left)),
      right: Math.max(...boxes("main > *").map((box) => box.right)),
      labels: boxes("svg text").map((box) => box.height),
      names: boxes("td:first-child").map((box) => box.width),
      marks: seen.filter(([element]) => element.matches(".line .mark"))
        .map(([element]) => [element.textContent, getComputedStyle(element).backgroundColor]),
      rows: seen.filter(([element]) => element.matches("td:first-child") && element.checkVisibility()).length,
      folded: [...page.querySelectorAll("details:not([open]) summary")].map((each) => each.textContent),
      text: page.body.innerText,
    };
  };
  const told = document.createElement("pre");
  told.id = "seen";
  told.textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(seenIn));
  document.body.replaceChildren(told);
});
