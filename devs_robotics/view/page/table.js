// The robots as a table: what the canvas shows, for who does not see it, or wants numbers.

import { button, make, say } from "./dom.js";
import { BLOCKED, HELD, MOVING, THERE, UNSURE } from "./timeline.js";
import { degrees } from "./words.js";

const OFTEN = 500; // between two changes (ms)

export class RobotTable {
  constructor(viewer) {
    this.viewer = viewer;
    this.rows = [];
    this.body = make("tbody");
    this.paired = false;
    this.summary = make("summary");
    this.head = make("tr");
    const table = make("table", {}, make("caption", { class: "view-hidden" }, "Robots"), make("thead", {}, this.head), this.body);
    const scroll = make("div", { class: "view-scroll", tabIndex: 0, role: "region", "aria-label": "Robots" }, table);
    this.element = make("details", { class: "view-robots", ontoggle: () => this.update(true) }, this.summary, scroll);
    viewer.listeners.add(() => this.update(false));
  }

  update(now) {
    const { scene, poses } = this.viewer;
    say(this.summary, `Robots (${robots(scene, poses)})`);
    const at = performance.now();
    if (!this.element.open || (!now && this.viewer.playing && at - (this._last || 0) < OFTEN)) return;
    this._last = at;
    this._heads(scene.pairs.size > 0);
    for (let slot = 0; slot < poses.slots; slot++) if (scene.bodies[slot] && !scene.isThing(scene.bodies[slot])) this._row(slot);
  }

  _heads(paired) {
    if (this.head.children.length && this.paired === paired) return;
    this.paired = paired;
    const heads = ["robot", "kind", "state", "x (m)", "y (m)", "heading", ...(paired ? ["model and robot differ by"] : [])];
    this.head.replaceChildren(...heads.map((text, n) => make("th", { scope: "col", class: n > 2 ? "number" : "" }, text)));
    this.body.replaceChildren();
    this.rows = [];
  }

  _row(slot) {
    const { viewer } = this, { poses, scene } = viewer, body = scene.body(slot);
    let row = this.rows[slot];
    if (!row) {
      row = this.rows[slot] = { choose: button(body.name, "", () => viewer.choose(viewer.chosen === slot ? -1 : slot)), cells: [] };
      const count = this.paired ? 6 : 5;
      for (let n = 0; n < count; n++) row.cells.push(make("td", { class: n > 1 ? "number" : "" }));
      row.element = make("tr", {}, make("th", { scope: "row" }, row.choose), ...row.cells);
      this.body.append(row.element);
    }
    row.choose.setAttribute("aria-pressed", `${viewer.chosen === slot}`);
    const there = poses.flags[slot] & THERE, error = this.paired ? viewer.error(slot) : null;
    say(row.cells[0], body.kind);
    say(row.cells[1], state(poses.flags[slot]));
    say(row.cells[2], there ? poses.x[slot].toFixed(3) : "–");
    say(row.cells[3], there ? poses.y[slot].toFixed(3) : "–");
    say(row.cells[4], there ? degrees(poses.heading[slot]) : "–");
    if (this.paired) say(row.cells[5], error ? `${(1000 * error[0]).toFixed(1)} mm, ${degrees(error[1])}` : "–");
  }
}

/** How many robots are there: a real one and its counterpart are one, and things are none. */
function robots(scene, poses) {
  const there = new Set();
  for (let slot = 0; slot < poses.slots; slot++) {
    const body = scene.bodies[slot];
    if (body && poses.flags[slot] & THERE && !scene.isThing(body)) there.add(body.robot || -1 - slot);
  }
  return there.size;
}

/** What a body does, in words. */
export function state(flags) {
  if (!(flags & THERE)) return "not there";
  if (flags & HELD) return "stopped by hand";
  if (flags & BLOCKED) return "blocked";
  if (flags & UNSURE) return "not seen";
  return flags & MOVING ? "moving" : "at rest";
}
