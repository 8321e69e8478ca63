// What robots say, see, touch and show: drawn for a moment, and messages also in a strip.

import { make } from "./dom.js";
import { THERE } from "./timeline.js";

const MOST = 1000; // that are kept
const STRIP = 100; // messages in the strip
const SEEN = 0.2, SAID = 1; // how long they are drawn (s)

export class Events {
  constructor(viewer) {
    this.viewer = viewer;
    this.items = []; // [time of arrival, item]
    this.lights = new Map(); // colour by robot
    this.touching = new Set();
    this.counters = { taken: 0, skipped: 0 };
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.list = make("ol", { class: "view-strip", tabIndex: 0, "aria-label": "Messages, the newest first" });
    this.element = make("details", { class: "view-messages" }, make("summary", {}, "Messages"), this.list);
    viewer.fades = () => this.items.length > 0;
    viewer.windows.extras.push((context, view, pane, colours) => this.draw(context, view, pane, colours));
  }

  /** What a message of the type `events` says. */
  take({ items, skipped }) {
    const now = performance.now();
    this.counters.taken += items.length;
    this.counters.skipped += skipped || 0;
    const told = [];
    for (const item of items) {
      const [kind, time, one, other, text] = item;
      this.viewer.drawn.add(kind);
      if (kind === "light") this.lights.set(one, other);
      else if (kind === "touch") this.touching[other ? "add" : "delete"](one);
      else this.items.push([now, item]);
      if (kind === "say") told.push(`${time.toFixed(2)} s: robot ${one} to ${other ?? "all"}: ${text}`);
      else if (kind === "log") told.push(`${time.toFixed(2)} s: ${one}`);
      else if (kind === "contact") told.push(`${time.toFixed(2)} s: robots ${one} and ${other} touch`);
    }
    if (skipped) told.push(`${skipped} more are missing`);
    if (told.length) this._put(told.slice(-STRIP));
    if (this.items.length > MOST) this.items.splice(0, this.items.length - MOST);
    this.viewer.redraw();
  }

  _put(told) {
    this.list.prepend(...told.reverse().map((text) => make("li", {}, text)));
    while (this.list.children.length > STRIP) this.list.lastChild.remove();
  }

  draw(context, view, pane, colours) {
    const { viewer } = this, { shown } = viewer.controls, { poses, scene } = viewer, now = performance.now();
    if (!viewer.following) return; // what is said now does not belong to what was
    this.items = this.items.filter(([at, [kind]]) => now - at < 1000 * (kind === "see" ? SEEN : SAID));
    const place = (robot) => {
      const slot = scene.slotOf(robot);
      return slot >= 0 && poses.flags[slot] & THERE && pane.kinds.has(scene.body(slot).kind) ? slot : -1;
    };
    let rays = 0;
    const chosen = viewer.chosen < 0 ? 0 : scene.body(viewer.chosen).robot;
    for (const [at, [kind, , one, other]] of this.items) {
      const slot = kind === "log" ? -1 : place(one);
      if (slot < 0 || (kind === "see" ? !shown.rays : !shown.messages)) continue;
      context.globalAlpha = this.still.matches ? 1 : 1 - (now - at) / 1000 / (kind === "see" ? SEEN : SAID);
      context.strokeStyle = { see: colours.outside, contact: colours.error }[kind] || colours.mark;
      context.lineWidth = kind === "see" ? 1 : 2;
      context.beginPath();
      if (kind === "see" && (!chosen || chosen === one) && rays < scene.rays) rays += this._rays(context, view, slot, other, poses);
      else if (kind === "say") this._said(context, view, slot, other === null ? -1 : place(other), poses, (now - at) / 1000);
      else if (kind === "contact" && place(other) >= 0) this._met(context, view, slot, place(other), poses);
      context.stroke();
    }
    context.globalAlpha = 1;
    for (const [robot, colour] of this.lights) this._dot(context, view, place(robot), colour, colours, poses);
    for (const robot of this.touching) {
      const slot = place(robot);
      if (slot < 0) continue;
      context.strokeStyle = colours.error;
      context.lineWidth = 3;
      context.beginPath();
      context.arc(view.px(poses.x[slot]), view.py(poses.y[slot]), scene.body(slot).radius * view.camera.scale + 2, 0, 7);
      context.stroke();
    }
  }

  /** Rays from the edge of a body, as far as they went; those that met nothing as far as they reach. */
  _rays(context, view, slot, rays, poses) {
    const body = this.viewer.scene.body(slot), x = poses.x[slot], y = poses.y[slot];
    for (const [bearing, distance] of rays) {
      const angle = poses.heading[slot] + bearing, far = body.radius + (distance ?? body.reach);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      context.moveTo(view.px(x + body.radius * c), view.py(y + body.radius * s));
      context.lineTo(view.px(x + far * c), view.py(y + far * s));
      if (distance !== null) context.rect(view.px(x + far * c) - 1.5, view.py(y + far * s) - 1.5, 3, 3);
    }
    return rays.length;
  }

  _said(context, view, from, to, poses, since) {
    const x = view.px(poses.x[from]), y = view.py(poses.y[from]);
    if (to >= 0) {
      context.moveTo(x, y);
      context.lineTo(view.px(poses.x[to]), view.py(poses.y[to]));
    } else context.arc(x, y, this.viewer.scene.body(from).radius * view.camera.scale + 8 + (this.still.matches ? 0 : 16 * since), 0, 7);
  }

  /** A star between two bodies that have met. */
  _met(context, view, slot, other, poses) {
    const x = view.px((poses.x[slot] + poses.x[other]) / 2), y = view.py((poses.y[slot] + poses.y[other]) / 2);
    for (let ray = 0; ray < 8; ray++) {
      const [c, s] = [Math.cos((ray * Math.PI) / 4), Math.sin((ray * Math.PI) / 4)];
      context.moveTo(x + 3 * c, y + 3 * s);
      context.lineTo(x + 11 * c, y + 11 * s);
    }
  }

  _dot(context, view, slot, colour, colours, poses) {
    if (slot < 0 || !colour || colour === "#000000") return;
    context.fillStyle = colour;
    context.strokeStyle = colours.ink;
    context.lineWidth = 0.5;
    context.beginPath();
    context.arc(view.px(poses.x[slot]), view.py(poses.y[slot]), Math.max(2, 0.45 * this.viewer.scene.body(slot).radius * view.camera.scale), 0, 7);
    context.fill();
    context.stroke();
  }
}
