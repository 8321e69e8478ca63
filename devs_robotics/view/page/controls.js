// Buttons and fields: play, speed, time line, tracks, windows, follow.

import { button, choice, make, say } from "./dom.js";
import { KEYS } from "./keys.js";
import { MODES } from "./windows.js";
import { seconds, SPEEDS } from "./words.js";

const TIMES = [[1, "as long as they are"], [5, "5 times as long"], [10, "10 times as long"]];
const LEGEND = { // how what is drawn, and when it is told
  virtual: ["virtual robot"],
  counterpart: ["model's counterpart of a real robot"],
  real: ["real robot, as it is seen"],
  unsure: ["where a real robot was seen last, or will be first", ({ scene }) => scene.has("real")],
  outside: ["moved by another program"],
  message: ["message: a line to one robot, a ring to all", ({ drawn }) => drawn.has("say")],
  rays: ["rays of sensors", ({ drawn }) => drawn.has("see")],
  touch: ["touches something", ({ drawn }) => drawn.has("touch")],
};
const FINE = 10000; // steps of the time line

export class Controls {
  constructor(viewer) {
    this.viewer = viewer;
    const last = viewer.scene.tracks || 30; // s
    this.reaches = [[last, `last ${last} s`], [Infinity, "all"], [0, "none"]];
    this.letters = true; // whether single letters act as keys
    this.shown = { rays: true, messages: true };
    this.top = this._top();
    this.player = this._player();
    this.help = this._help();
    viewer.listeners.add(() => this.update());
  }

  _top() {
    const { viewer } = this, { windows, scene } = viewer;
    this.mode = choice("Windows", windows.modes.map((mode) => [mode, MODES[mode]]), windows.mode, (mode) => viewer.setMode(mode));
    this.reach = choice("Tracks", this.reaches, scene.tracks, (reach) => this.setReach(Number(reach)));
    this.times = choice("Arrows from model to robot", TIMES, windows.times, (times) => {
      windows.times = Number(times);
      viewer.redraw();
    });
    this.follow = button("Follow", "Follow the robot that is chosen", () => viewer.follow());
    this.labels = button("Numbers", "Numbers of the robots", () => {
      windows.labels = !windows.labels;
      this.update();
      viewer.redraw();
    });
    const zooms = [
      button("−", "Smaller", () => viewer.zoom(0.8)),
      button("+", "Larger", () => viewer.zoom(1.25)),
      button("Fit", "Show all robots, or the whole field", () => viewer.fit()),
    ];
    this.arrows = named("Arrows", this.times);
    const modes = windows.modes.length > 1 ? [this.mode, this.arrows] : [];
    this.legend = make("ul", { class: "view-legend", "aria-label": "What is drawn how" });
    for (const [kind, [text]] of Object.entries(LEGEND)) {
      this.legend.append(make("li", { "data-kind": kind }, make("span", { class: `view-sign view-${kind}`, "aria-hidden": "true" }), text));
    }
    return make("div", { class: "view-bar" }, ...modes, named("Tracks", this.reach), this.follow, this.labels, ...zooms, this.legend);
  }

  _player() {
    const { viewer } = this, { source } = viewer;
    this.play = button("Play", "", () => viewer.play(), { class: "view-play" });
    this.line = make("input", { type: "range", min: 0, max: FINE, step: 1, value: 0, "aria-label": "Time", oninput: () => {
      viewer.seek(source.begin + (Number(this.line.value) / FINE) * (this._end() - source.begin));
    } });
    this.clock = make("output", { class: "view-clock", "aria-live": "off" });
    const speeds = SPEEDS.map((speed) => [speed, `${speed} ×`]);
    this.speed = choice("Speed", speeds, viewer.speed, (speed) => (viewer.speed = Number(speed)));
    const steps = [button("‹", "To the last change", () => viewer.step(-1)), button("›", "To the next change", () => viewer.step(1))];
    this.now = button("Live", "Show what is now", () => viewer.toEnd());
    const ends = source.live ? [this.now] : [];
    return make("div", { class: "view-bar view-player" }, this.play, ...steps, this.line, this.clock, named("Speed", this.speed), ...ends);
  }

  _help() {
    const list = make("dl");
    const keys = KEYS.filter(([, , live]) => !live || this.viewer.source.live);
    for (const [key, text] of keys) list.append(make("div", {}, make("dt", {}, key), make("dd", {}, text)));
    const letters = make("input", { type: "checkbox", checked: true, onchange: () => (this.letters = letters.checked) });
    return make("details", { class: "view-help" }, make("summary", {}, "Keys"), list, make("label", {}, letters, " single letters act as keys"));
  }

  _end() {
    const { source } = this.viewer;
    return source.live ? source.now() : source.end;
  }

  setReach(reach) {
    this.viewer.windows.setReach(reach);
    this.reach.value = `${reach}`;
    this.viewer.redraw();
  }

  nextReach() {
    const { reaches } = this, at = reaches.findIndex(([reach]) => `${reach}` === this.reach.value);
    const [reach, text] = reaches[(at + 1) % reaches.length];
    this.setReach(reach);
    this.viewer.tell(`tracks: ${text}`);
  }

  nextMode() {
    const { modes, mode } = this.viewer.windows;
    this.viewer.setMode(modes[(modes.indexOf(mode) + 1) % modes.length]);
  }

  /** Show or hide rays or messages. */
  toggle(what) {
    this.shown[what] = !this.shown[what];
    this.viewer.tell(`${what} are ${this.shown[what] ? "shown" : "hidden"}`);
    this.viewer.wants();
    this.viewer.redraw();
    this.update();
  }

  toggleHelp() {
    this.help.open = !this.help.open;
  }

  /** Say what is. */
  update() {
    const { viewer } = this, { source, windows } = viewer, end = this._end();
    say(this.play, viewer.playing ? "Freeze" : "Play");
    const share = end > source.begin ? (viewer.time - source.begin) / (end - source.begin) : 0;
    this.line.value = `${Math.round(FINE * share)}`;
    this.line.setAttribute("aria-valuetext", seconds(viewer.time));
    say(this.clock, source.live ? seconds(viewer.time) : `${seconds(viewer.time)} of ${seconds(source.end)}`);
    this.mode.value = windows.mode;
    this.arrows.hidden = windows.mode !== "overlay";
    this.follow.setAttribute("aria-pressed", `${viewer.tracked}`);
    this.labels.setAttribute("aria-pressed", `${windows.labels}`);
    this.now.setAttribute("aria-pressed", `${viewer.following}`);
    for (const sign of this.legend.children) { // bodies join live views, and robots begin to speak
      const { kind } = sign.dataset, [, told] = LEGEND[kind];
      sign.hidden = !(told ? told(viewer) : viewer.scene.has(kind));
    }
  }
}

/** A field with its name before it. */
function named(name, field) {
  return make("label", { class: "view-field" }, make("span", {}, `${name} `), field);
}
