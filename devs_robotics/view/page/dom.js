// Elements of the page. Texts are put in as texts: names and messages come from others.

/** An element with properties (`on...`: listeners; others with a hyphen, `role`, `class`, `for`: attributes), children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || ["role", "class", "for", "scope"].includes(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** A button that is named by its text, or by `label` where that is a sign; else that is a hint. */
export function button(text, label, press, properties = {}) {
  const named = text.length > 1 ? { title: label } : { "aria-label": label, title: label };
  return make("button", { type: "button", onclick: press, ...named, ...properties }, text);
}

/** Put a text into an element, if it is another one. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A select with its name; `choices` are [value, text]. */
export function choice(label, choices, value, changed) {
  const select = make("select", { "aria-label": label, title: label, onchange: () => changed(select.value) });
  for (const [key, text] of choices) select.append(make("option", { value: key, selected: `${key}` === `${value}` }, text));
  return select;
}
