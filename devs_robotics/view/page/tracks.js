// Tracks: where bodies have been. They are kept on a canvas that is not shown, to which each frame adds what is new;
// a second one is drawn anew meanwhile, a few bodies a frame, so that no frame waits for it.

import { View } from "./draw.js";

const BUDGET = 2; // time for drawing anew in one frame (ms)
const AGAIN = 0.2; // of the time that tracks reach back: so much longer may they be before they are drawn anew
const MANY = 300, RARELY = 4; // of more bodies, tracks grow only in each fourth frame
const LEAST = 400; // between two drawings (ms)

/** A canvas with tracks, where it looks, and up to when each body's track goes. */
class Sheet {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.view = new View({ x: 0, y: 0, scale: 1 });
    this.until = [];
    this.from = 0;
    this.done = 0;
  }

  begin(view, from, count) {
    Object.assign(this.view, { width: view.width, height: view.height, ratio: view.ratio });
    Object.assign(this.view.camera, { x: view.camera.x, y: view.camera.y, scale: view.camera.scale });
    this.view.size(this.canvas);
    this.context = this.view.fresh(this.canvas);
    this.from = from;
    this.done = 0;
    this.until = new Array(count).fill(from);
  }

  /** Draw one more piece of the tracks of some bodies. */
  draw(source, slots, first, last, time, colour, width) {
    const { context, view } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    const visit = (x, y, joined) => (joined ? context.lineTo(view.px(x), view.py(y)) : context.moveTo(view.px(x), view.py(y)));
    for (let n = first; n < last; n++) {
      if (this.until[n] < time) source.way(slots[n], this.until[n], time, visit);
      this.until[n] = time;
    }
    context.stroke();
  }
}

/** The tracks of some bodies in one window. */
export class Tracks {
  /** `groups` are slots that are drawn alike: [{slots, colour, width}]. */
  constructor(source) {
    this.source = source;
    this._frame = 0;
    this.reach = 30; // how far they go back (s); 0: none
    this.shown = new Sheet();
    this.next = this.spare = null;
    this.setGroups([]);
  }

  setGroups(groups) {
    this.groups = groups;
    this.slots = groups.flatMap((group) => group.slots);
    this.stale = true;
  }

  /** Whether what is shown is all there is to show. */
  get ready() {
    if (this.reach === 0 || !this.slots.length) return true;
    return !this.stale && !this.long && this.next === null && this.shown.at === this.time;
  }

  /** Bring them up to a time, and put them on a canvas. */
  draw(context, view, time) {
    if (this.reach === 0 || !this.slots.length) return;
    const from = Math.max(this.source.begin, time - this.reach), { camera } = view, shown = this.shown;
    if (time < this.time) this.stale = true;
    const grows = this.slots.length <= MANY || time === this.time || this._frame++ % RARELY === 0;
    this.time = time;
    const moved = shown.view.camera.scale !== camera.scale || shown.view.camera.x !== camera.x || shown.view.camera.y !== camera.y
      || shown.view.width !== view.width || shown.view.height !== view.height || shown.view.ratio !== view.ratio;
    const long = (this.long = Number.isFinite(this.reach) && from - shown.from > AGAIN * this.reach);
    const now = performance.now();
    if (this.stale || from < shown.from - 1e-9) { // begin at once, with what is right
      this._start(view, from, now);
      this.stale = false;
      shown.begin(view, time, this.slots.length); // nothing until then
      shown.from = from;
    } else if (this.next === null && (moved || (long && now - this.started > LEAST))) this._start(view, from, now);
    if (this.next) this._goOn(time, now);
    const sheet = this.shown;
    if (sheet.context) {
      if (grows) {
        this._each(sheet, 0, this.slots.length, time);
        sheet.at = time;
      }
      this._put(context, view, sheet);
    }
  }

  _start(view, from, now) {
    [this.next, this.spare] = [this.next || this.spare || new Sheet(), null];
    this.next.begin(view, from, this.slots.length);
    this.started = now;
  }

  _goOn(time, now) {
    const next = this.next, step = 16;
    do {
      this._each(next, next.done, Math.min(next.done + step, this.slots.length), time);
      next.done += step;
    } while (next.done < this.slots.length && performance.now() - now < BUDGET);
    if (next.done >= this.slots.length) [this.shown, this.spare, this.next] = [next, this.shown, null];
  }

  /** Bring a part of the bodies up to a time. */
  _each(sheet, first, last, time) {
    let at = 0;
    for (const { slots, colour, width } of this.groups) {
      const [low, high] = [Math.max(first, at), Math.min(last, at + slots.length)];
      if (low < high) sheet.draw(this.source, this.slots, low, high, time, colour, width);
      at += slots.length;
    }
  }

  _put(context, view, sheet) {
    const factor = view.camera.scale / sheet.view.camera.scale, [left, high] = sheet.view.place(0, 0);
    context.imageSmoothingEnabled = factor !== 1;
    context.drawImage(sheet.canvas, view.px(left), view.py(high), sheet.view.width * factor, sheet.view.height * factor);
  }
}
