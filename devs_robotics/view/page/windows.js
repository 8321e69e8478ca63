// The windows: one; two (real robots, and the environment model with their counterparts); or both in one, with errors.

import { batches, Camera, drawBodies, drawErrors, drawField, drawLabels, drawMark, drawRing, drawText, drawUnsure, inkOver, palette, View } from "./draw.js";
import { make, say } from "./dom.js";
import { Labels } from "./labels.js";
import { pointers } from "./pointer.js";
import { THERE } from "./timeline.js";
import { Tracks } from "./tracks.js";

export const MODES = { one: "one window", two: "two windows: real | model", overlay: "overlay: real over model", camera: "camera | map" };
const MANY = 500; // with more bodies, a pixel of the canvas is one of the page
const FOOT = 20; // room for the scale (pixels)
const SMALL = 0.5; // part of the field, by its sides
const MARGIN = 0.03; // round what is fitted in, of its size

/** One canvas with its title. */
class Pane {
  constructor(windows, kinds, title) {
    this.kinds = new Set(kinds);
    this.view = new View(windows.camera);
    this.field = make("canvas", { "aria-hidden": "true" });
    this.main = make("canvas", { role: "img", "aria-label": `${title || "The field"}, from above` });
    this.title = make("figcaption", {}, title);
    this.element = make("figure", { class: "view-pane" }, this.title, make("div", { class: "view-canvases" }, this.field, this.main));
    this.title.hidden = !title;
    this.tracks = new Tracks(windows.source);
    this.stale = true;
    pointers(this.main, this.view, windows.act, (px, py, slip) => this.near(windows, px, py, slip));
  }

  /** Slot of the body at a pixel; -1: there is none. */
  near(windows, px, py, slip) {
    const { poses } = windows.drawn;
    let [best, least] = [-1, Infinity];
    for (const { slots } of this.groups) {
      for (const slot of slots) {
        if (!(poses.flags[slot] & THERE)) continue;
        const away = Math.hypot(this.view.px(poses.x[slot]) - px, this.view.py(poses.y[slot]) - py);
        const radius = windows.scene.body(slot).radius * this.view.camera.scale;
        if (away < Math.max(radius + 4, slip) && away < least) [best, least] = [slot, away];
      }
    }
    return best;
  }
}

export class Windows {
  /** `act` is told what pointers do; `eye` is the window of a camera, if there is one. */
  constructor(scene, source, act, eye = null) {
    this.eye = eye;
    [this.scene, this.source, this.act] = [scene, source, act];
    this.camera = new Camera();
    this.element = make("div", { class: "view-windows" });
    this.labels = true;
    this.times = scene.arrows; // errors are drawn so many times as long
    this.chosen = -1;
    this.printed = false; // then all is on the upper canvas: browsers print what was drawn last, and the lower one stays empty
    this.drawn = { poses: { flags: [] } };
    this.extras = []; // functions that draw more on a pane: (context, view, pane)
    this.fitted = "";
    this.modes = scene.has("real") ? ["one", "two", "overlay"] : ["one"];
    if (eye) this.modes.push("camera");
    this.setMode(scene.has("real") ? "two" : "one");
  }

  setMode(mode) {
    this.mode = mode;
    const { scene, source } = this, seen = scene.pairs.size > 0;
    const panes = {
      one: () => [new Pane(this, seen ? ["virtual", "outside", "real"] : ["virtual", "counterpart", "outside", "real"], "")],
      two: () => [
        new Pane(this, ["real"], `Real robots: ${scene.seen || "as they are seen"}`),
        new Pane(this, ["virtual", "counterpart", "outside"], "Environment model, with counterparts of the real robots"),
      ],
      overlay: () => [new Pane(this, ["virtual", "counterpart", "outside", "real"], `Real robots (${scene.seen || "as they are seen"}) over the environment model`)],
    };
    panes.camera = panes.one;
    const reach = this.panes ? this.panes[0].tracks.reach : scene.tracks;
    this.panes = panes[mode]();
    this.element.replaceChildren(...(mode === "camera" ? [this.eye.element] : []), ...this.panes.map((pane) => pane.element));
    this.element.dataset.mode = mode;
    for (const pane of this.panes) [pane.tracks.source, pane.tracks.reach] = [source, reach];
    this.restyle();
    if (this.sized) this.resize();
  }

  /** Bodies have come or gone, or the page's colours are others. */
  restyle() {
    this.colours = palette(this.element);
    const { colours, scene } = this, followed = scene.slotOf(scene.follow);
    for (const pane of this.panes) {
      pane.groups = batches(scene, pane.kinds);
      pane.tracks.setGroups(
        pane.groups.flatMap(({ kind, slots }) => {
          const colour = kind === "virtual" ? colours.track : colours[kind];
          const own = slots.filter((slot) => slot === followed), others = slots.filter((slot) => slot !== followed);
          return [{ slots: others, colour, width: 1 }, { slots: own, colour: colours[kind], width: 2 }];
        }),
      );
      pane.stale = true;
    }
  }

  setReach(reach) {
    for (const pane of this.panes) [pane.tracks.reach, pane.tracks.stale] = [reach, true];
  }

  /** Whether everything is drawn that there is to draw. */
  get ready() {
    return this.panes.every((pane) => pane.tracks.ready && !pane.stale);
  }

  /** Take the room that there is. */
  resize() {
    const width = this.element.clientWidth, { scene } = this;
    if (!width) return;
    const count = this.element.children.length, beside = count > 1 && width >= 640;
    this.element.classList.toggle("view-beside", beside);
    const each = beside ? (width - 8) / count : width;
    const least = Math.min(280, each), most = Math.max(240, Math.min(innerHeight * 0.72, 640) / (beside ? 1 : count));
    const height = Math.round(Math.min(Math.max((each * scene.height) / scene.width, least * 0.6), most));
    for (const pane of this.panes) {
      Object.assign(pane.view, { width: Math.floor(each), height, ratio: scene.bodies.length > MANY ? 1 : Math.min(devicePixelRatio || 1, 2) });
      pane.view.size(pane.field);
      pane.view.size(pane.main);
      Object.assign(pane.field.parentElement.style, { width: `${pane.view.width}px`, aspectRatio: `${pane.view.width} / ${height}` });
      pane.stale = true;
    }
    this.eye?.resize(each, most);
    const first = !this.sized;
    this.sized = true;
    if (first || this.fitted) this.fit(this.fitted || "way");
  }

  /** Show the whole field, or where the robots are, or, if that is a small part of the field, all their ways. */
  fit(what) {
    const { scene, camera } = this, view = this.panes[0].view, ever = this.source.bounds();
    const places = what === "way" ? ever : this._places();
    let [left, low, right, high] = [0, 0, scene.width, scene.height];
    if (ever && !scene.walled) [left, low, right, high] = [Math.min(left, ever[0]), Math.min(low, ever[1]), Math.max(right, ever[2]), Math.max(high, ever[3])];
    if (what !== "field" && places) {
      const more = 4 * Math.max(...scene.bodies.map((body) => (body ? body.radius : 0)), 0.02);
      const near = [places[0] - more, places[1] - more, places[2] + more, places[3] + more];
      const small = Math.max((near[2] - near[0]) / (right - left), (near[3] - near[1]) / (high - low)) < SMALL;
      if (small || what === "robots") [left, low, right, high] = near;
      else what = "field";
    }
    this.shown = [left, low, right, high];
    camera.x = (left + right) / 2;
    camera.y = (low + high) / 2;
    const room = view.height - FOOT;
    camera.scale = Math.min(view.width / ((right - left) * (1 + 2 * MARGIN)), room / ((high - low) * (1 + 2 * MARGIN)));
    camera.y -= FOOT / 2 / camera.scale;
    this.fitted = what;
    this.moved();
  }

  /** What is shown of a live run grows with the ways, unless somebody has chosen what is shown. */
  grow() {
    const ever = this.fitted === "way" ? this.source.bounds() : null, { shown } = this;
    if (!ever) return;
    const first = !this.grown;
    this.grown = true;
    if (first || ever[0] < shown[0] || ever[1] < shown[1] || ever[2] > shown[2] || ever[3] > shown[3]) this.fit("way");
  }

  /** Smallest rectangle round those who are there now; null: nobody is. */
  _places() {
    const { poses } = this.drawn;
    let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let slot = 0; slot < (poses.slots || 0); slot++) {
      if (!(poses.flags[slot] & THERE)) continue;
      [left, right] = [Math.min(left, poses.x[slot]), Math.max(right, poses.x[slot])];
      [low, high] = [Math.min(low, poses.y[slot]), Math.max(high, poses.y[slot])];
    }
    return left > right ? null : [left, low, right, high];
  }

  /** The camera is another. */
  moved() {
    for (const pane of this.panes) pane.stale = true;
  }

  /** Keep a body in the middle. */
  centre(slot) {
    const { poses } = this.drawn;
    if (!(poses.flags[slot] & THERE) || (this.camera.x === poses.x[slot] && this.camera.y === poses.y[slot])) return;
    [this.camera.x, this.camera.y] = [poses.x[slot], poses.y[slot]];
    this.fitted = "";
    this.moved();
  }

  draw(poses, time) {
    this.drawn = { poses, time };
    const { scene, colours } = this, [marks, others] = scene.marks(time), followed = scene.slotOf(scene.follow);
    for (const pane of this.panes) {
      const { view } = pane;
      const context = view.fresh(pane.main);
      if (this.printed) pane.taken = drawField(context, view, scene, colours, marks);
      else if (pane.stale || others) pane.taken = drawField(view.fresh(pane.field), view, scene, colours, marks);
      pane.stale = false;
      pane.tracks.draw(context, view, time);
      for (const extra of this.extras) extra(context, view, pane, colours);
      drawBodies(context, view, pane.groups, scene, poses, colours);
      if (this.mode === "overlay") drawErrors(context, view, scene, this.source, poses, time, colours, this.times);
      if (pane.kinds.has(scene.body(Math.max(followed, 0)).kind)) drawRing(context, view, scene, poses, followed, colours.virtual, 1.5, 3);
      const texts = [];
      for (const mark of marks.values()) {
        const slot = mark.robot ? scene.slotOf(mark.robot) : -1;
        if (slot >= 0 && poses.flags[slot] & THERE && pane.kinds.has(scene.body(slot).kind)) {
          const pose = [poses.x[slot], poses.y[slot], poses.heading[slot], scene.body(slot).radius];
          drawMark(context, view, mark, colours, pose);
          texts.push([mark, pose]);
        }
      }
      drawUnsure(context, view, pane.groups, scene, poses, colours);
      for (const slot of this.chosen < 0 ? [] : [this.chosen, scene.otherOf(this.chosen)]) {
        if (slot >= 0 && pane.kinds.has(scene.body(slot).kind)) drawRing(context, view, scene, poses, slot, colours.chosen);
      }
      const labels = new Labels(view, inkOver(colours, marks, scene), pane.taken);
      for (const [mark, pose] of texts) drawText(context, view, mark, labels, pose);
      if (this.labels) drawLabels(context, view, pane.groups, scene, poses, labels);
    }
    if (this.mode === "camera") this.eye.draw(this, time);
  }

  /** A picture of the camera has come. */
  sees(picture) {
    return this.eye ? this.eye.take(picture) : Promise.resolve();
  }

  /** Say what a pane shows, for who does not see it. */
  describe(text) {
    for (const pane of this.panes) {
      if (!pane.told) pane.element.append((pane.told = make("span", { class: "view-hidden", id: `view-told-${this.panes.indexOf(pane)}` })));
      pane.main.setAttribute("aria-describedby", pane.told.id);
      say(pane.told, text);
    }
  }
}
