// What keys do; none acts while a field has the focus, and single letters can be switched off.

/** Keys, what they do, and whether they are for runs that go on only. */
export const KEYS = [
  ["Space", "play, or freeze the picture"],
  [". and ,", "to the next change, or the previous one"],
  ["← and →", "5 s back, or on"],
  ["Home and End", "to the beginning, or the end; in a live view End shows what is now"],
  ["+ and −", "larger, smaller"],
  ["0", "show all robots, or the whole field"],
  ["↑ and ↓", "choose a robot"],
  ["F", "follow the robot that is chosen"],
  ["V", "next kind of windows"],
  ["T", "tracks: the last ones, all, none"],
  ["R", "sensor rays", "live"],
  ["M", "messages", "live"],
  ["?", "these keys"],
];

/** Listen for keys at an element, or the whole page. */
export function keys(viewer, target) {
  const { controls, source } = viewer;
  const actions = {
    " ": () => viewer.play(),
    ".": () => viewer.step(1),
    ",": () => viewer.step(-1),
    ArrowLeft: () => viewer.seek(viewer.time - 5),
    ArrowRight: () => viewer.seek(viewer.time + 5),
    Home: () => viewer.seek(source.begin),
    End: () => viewer.toEnd(),
    "+": () => viewer.zoom(1.25),
    "=": () => viewer.zoom(1.25),
    "-": () => viewer.zoom(0.8),
    0: () => viewer.fit(),
    ArrowUp: () => viewer.chooseNext(-1),
    ArrowDown: () => viewer.chooseNext(1),
    f: () => viewer.follow(),
    v: () => controls.nextMode(),
    t: () => controls.nextReach(),
    r: () => controls.toggle("rays"),
    m: () => controls.toggle("messages"),
    "?": () => controls.toggleHelp(),
  };
  target.addEventListener("keydown", (event) => {
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key, at = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !Object.hasOwn(actions, name)) return;
    if (at.matches?.("input, select, textarea, [contenteditable]")) return;
    if (name.length > 1 && at.matches?.(".view-scroll, .view-strip")) return; // it scrolls that
    if (name === " " && at.matches?.("button, summary, a")) return; // it presses that
    if (/^[a-z]$/.test(name) && !controls.letters) return;
    event.preventDefault();
    actions[name]();
  }, { signal: viewer.over.signal });
}
