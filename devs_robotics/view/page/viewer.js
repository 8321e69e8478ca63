// What shows a scene and a source of poses: its time, its frames, and what is chosen in it.

import { Controls } from "./controls.js";
import { make, say } from "./dom.js";
import { keys } from "./keys.js";
import { zoom } from "./pointer.js";
import { RobotTable, state } from "./table.js";
import { Poses, shorter, THERE } from "./timeline.js";
import { MODES, Windows } from "./windows.js";
import { degrees, seconds, SPEEDS } from "./words.js";

const WHOLE = 60; // a replay takes no longer than this at the speed that it begins with (s)
const POLITE = 5000; // between two sentences of the status line (ms)
const TOLD = 200; // between two changes of numbers in the page (ms)

export class Viewer {
  /**
   * `source` has begin, end, poses(time, out), pose(slot, time), way(...), next(...), settled(...), bounds();
   * a live one also live = true and now(). `whole`: the page is all for this, so that keys act everywhere.
   */
  constructor(root, scene, source, { whole = false, camera = null } = {}) {
    Object.assign(this, { root, scene, source, whole });
    this.over = new AbortController(); // of listeners outside of what this has made
    this.poses = new Poses(source.slots);
    this.time = source.begin;
    this.speed = source.live ? 1 : SPEEDS.find((speed) => speed >= Math.min((source.end - source.begin) / WHOLE, 1000)) || 1000;
    this.speed = Math.max(this.speed, source.live ? 1 : 0.1);
    this.playing = this.following = Boolean(source.live); // following: shows what is now
    this.chosen = -1;
    this.tracked = false; // the chosen one is kept in the middle
    this.frames = 0;
    this.wants = () => undefined; // called when other messages are wanted of a live run
    this.fades = () => false; // whether something that was drawn has still to fade
    this.drawn = new Set(); // kinds of events that have been
    this.listeners = new Set(); // called with this after each drawing, at most each TOLD ms
    this.windows = new Windows(scene, source, {
      moved: () => this.redraw(),
      chosen: (slot) => this.choose(slot),
      wheel: (event) => this.whole || event.ctrlKey || event.metaKey || this.stage.contains(document.activeElement),
    }, camera);
    this.status = make("p", { class: "view-status", role: "status" });
    this.about = make("p", { class: "view-about" });
    const told = "The field from above. Space plays, arrows left and right go 5 seconds, arrows up and down choose a robot; all keys are listed under Keys.";
    this.stage = make("div", { class: "view-stage", role: "group", tabIndex: 0, "aria-label": told }, this.windows.element);
    this.controls = new Controls(this);
    this.table = new RobotTable(this);
    root.replaceChildren(this.controls.top, this.stage, this.controls.player, this.about, this.table.element, this.controls.help, this.status);
    root.classList.add("view", ...(whole ? ["view-whole"] : []));
    this.windows.restyle(); // now it has colours
    keys(this, whole ? document : root);
    this._watch();
    this._hook();
    this.redraw();
  }

  _watch() {
    const { signal } = this.over;
    new ResizeObserver(() => this._resized()).observe(this.stage);
    const themes = matchMedia("(prefers-color-scheme: dark)");
    themes.addEventListener("change", () => this.restyle(), { signal });
    addEventListener("beforeprint", () => this._print(true), { signal }); // on paper everything is light
    addEventListener("afterprint", () => this._print(false), { signal });
    this.visible = true;
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      this.redraw();
    }).observe(this.stage);
    document.addEventListener("visibilitychange", () => this.redraw(), { signal });
  }

  /** Another one takes its place. */
  end() {
    this.over.abort();
    this.playing = this.following = this.visible = false;
  }

  _resized() {
    if (this._width === this.stage.clientWidth && this._height === innerHeight) return;
    [this._width, this._height] = [this.stage.clientWidth, innerHeight];
    this.windows.resize();
    this.draw(); // at once: a canvas that has another size is empty
  }

  _print(on) {
    this.root.classList.toggle("view-printed", on);
    this.windows.printed = on;
    this.windows.restyle();
    this.windows.resize();
    for (let most = 1000; most && (!this.windows.ready || most === 1000); most--) this.draw();
  }

  /** The scene or the page's colours have changed. */
  restyle() {
    this.windows.restyle();
    this.redraw();
  }

  /** Draw in the next frame. */
  redraw() {
    this._asked ||= requestAnimationFrame((now) => this._frame(now));
  }

  _frame(now) {
    this._asked = 0;
    const passed = Math.min((now - (this._last || now)) / 1000, 0.25);
    this._last = now;
    const moves = this._moves(); // asked before the time: what is shown in full now is shown in full below
    if (this.following) this.time = this.source.now();
    else if (this.playing) {
      this.time += passed * this.speed;
      const end = this.source.live ? this.source.now() : this.source.end;
      if (this.time >= end) {
        this.time = end;
        if (this.source.live) this.following = true;
        else this.play(false);
      }
    }
    if (this.visible) this.draw();
    if ((this.visible && (this.following ? moves : this.playing)) || !this.windows.ready) this.redraw();
    else this._last = 0;
  }

  /** Whether the next picture is another one. */
  _moves() {
    return this.following ? !this.source.settledNow || this.fades() : this.playing;
  }

  draw() {
    this.source.poses(this.time, this.poses);
    if (this.source.live) this.windows.grow();
    if (this.tracked && this.chosen >= 0) this.windows.centre(this.chosen);
    this.windows.draw(this.poses, this.time);
    this.frames++;
    const now = performance.now();
    if (now - (this._told || 0) < TOLD && this.playing) return;
    this._told = now;
    say(this.about, this.chosen < 0 ? "" : this.sentence(this.chosen));
    for (const listener of this.listeners) listener(this);
  }

  /** Play, or freeze the picture; the run, if there is one, goes on. */
  play(on = !this.playing) {
    if (on && !this.source.live && this.time >= this.source.end) this.time = this.source.begin;
    this.playing = on;
    if (!on) this.following = false;
    this._told = this._last = 0;
    this.tell(on ? "plays" : `stands at ${seconds(this.time)}`);
    this.redraw();
  }

  seek(time) {
    const end = this.source.live ? this.source.now() : this.source.end;
    this.following = false;
    this.time = Math.min(Math.max(time, this.source.begin), end);
    this._told = 0;
    this.redraw();
  }

  /** To the newest picture of a run, or the end of a recording. */
  toEnd() {
    this.seek(Infinity);
    if (this.source.live) this.following = this.playing = true;
  }

  /** To the next or the last change, frozen. */
  step(direction) {
    if (this.playing) this.play(false);
    this.seek(this.source.next(this.time, direction));
  }

  choose(slot) {
    this.chosen = this.windows.chosen = slot;
    if (slot < 0) this.tracked = false;
    this.wants();
    this._told = 0;
    if (slot >= 0) this.tell(`${this.scene.body(slot).name} is chosen`);
    this.redraw();
  }

  /** Choose the next or last body that is there. */
  chooseNext(direction) {
    const { slots } = this.poses;
    for (let n = 1, slot = this.chosen < 0 && direction < 0 ? 0 : this.chosen; n <= slots; n++) {
      slot = (slot + direction + slots) % slots;
      if (this.poses.flags[slot] & THERE) return this.choose(slot);
    }
    return undefined;
  }

  follow(on = !this.tracked) {
    if (on && this.chosen < 0) {
      const followed = this.scene.slotOf(this.scene.follow);
      if (followed >= 0) this.choose(followed);
      else this.chooseNext(1);
    }
    this.tracked = on && this.chosen >= 0;
    this._told = 0;
    this.redraw();
  }

  setMode(mode) {
    if (!this.windows.modes.includes(mode)) return;
    this.windows.setMode(mode);
    this.windows.resize();
    this.wants();
    this.tell(MODES[mode]);
    this._told = 0;
    this.redraw();
  }

  zoom(factor) {
    zoom(this.windows.panes[0].view, factor);
    this.windows.fitted = "";
    this.windows.moved();
    this.redraw();
  }

  /** The whole field, then all robots. */
  fit() {
    this.tracked = false;
    this.windows.fit(this.windows.fitted === "field" ? "robots" : "field");
    this._told = 0;
    this.redraw();
  }

  /** How far a body and its other one are apart at rest: distance (m), and angle (rad); null: not known now. */
  error(slot) {
    const other = this.scene.otherOf(slot);
    if (other < 0) return null;
    const [real, model] = this.scene.pairs.has(slot) ? [slot, other] : [other, slot], { poses } = this;
    if (!this.source.settled(real, model, this.time, poses)) return null;
    return [
      Math.hypot(poses.x[model] - poses.x[real], poses.y[model] - poses.y[real]),
      shorter(poses.heading[model] - poses.heading[real]),
    ];
  }

  /** What there is to say of a body. */
  sentence(slot) {
    const { poses, scene } = this, body = scene.body(slot), error = this.error(slot);
    const kind = body.kind === "real" ? body.seen || "real" : body.kind;
    if (!(poses.flags[slot] & THERE)) return `${body.name} (${kind}): not there`;
    const where = `x ${poses.x[slot].toFixed(3)} m, y ${poses.y[slot].toFixed(3)} m, heading ${degrees(poses.heading[slot])}`;
    const apart = error ? `; model and robot differ by ${(1000 * error[0]).toFixed(1)} mm and ${degrees(error[1])}` : "";
    return `${body.name} (${kind}): ${where}, ${state(poses.flags[slot])}${apart}`;
  }

  /** Say something politely: at most one sentence in a while, the newest. */
  tell(sentence) {
    this._sentence = sentence;
    this._waits ||= setTimeout(() => {
      this._waits = 0;
      this._spoken = performance.now();
      say(this.status, this._sentence);
    }, Math.max(0, (this._spoken ?? -POLITE) + POLITE - performance.now()));
  }

  /** For tests, and for who wants to look into it: what is drawn, and where. */
  _hook() {
    window.view = {
      viewer: this,
      get time() { return this.viewer.time; },
      get frames() { return this.viewer.frames; },
      get ready() { return this.viewer.windows.ready && !this.viewer._asked; },
      get age() { return this.viewer.source.age ?? null; },
      get counters() { return this.viewer.source.counters ?? {}; },
      get poses() {
        const { x, y, heading, flags, slots } = this.viewer.poses;
        return Array.from({ length: slots }, (_, slot) => [x[slot], y[slot], heading[slot], flags[slot]]);
      },
      seek(time) {
        this.viewer.seek(time);
        this.viewer.draw();
      },
      /** Where a place of the field is in the page (CSS pixels), in a window. */
      pixel(x, y, pane = 0) {
        const { view, main } = this.viewer.windows.panes[pane], box = main.getBoundingClientRect();
        return [box.left + view.px(x), box.top + view.py(y)];
      },
    };
  }
}
