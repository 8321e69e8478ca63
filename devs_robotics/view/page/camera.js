// The window of the camera above the field: its newest picture, and the models over it as if they stood there, where
// they were when it was exposed. Pictures come as messages of the kind 3; camera_window.py tells their bytes.

import { make, say } from "./dom.js";
import { batches, DASHES, ink } from "./draw.js";
import { Poses, THERE } from "./timeline.js";

const HEAD = 216; // bytes before the JPEG
const PIECES = 24; // of a circle, and of each edge of the field: a lens bends them
const SHOWN = ["outside", "virtual", "counterpart"]; // real robots are in the picture
const LATE = 2; // between picture and map; more is told (s)

/** A picture from its bytes; null: of a kind or version that is not known here. */
export function picture(buffer) {
  if (buffer.byteLength < HEAD) return null;
  const head = new DataView(buffer, 0, HEAD), [width, height] = [head.getUint32(32, true), head.getUint32(36, true)];
  if (head.getUint8(0) !== 3 || head.getUint16(2, true) !== 1) return null;
  const numbers = Array.from({ length: 22 }, (_, n) => head.getFloat64(40 + 8 * n, true));
  const lens = head.getUint8(1) & 1 ? lensOf(numbers) : null;
  const seq = head.getUint32(4, true), time = head.getFloat64(8, true);
  return { seq, time, width, height, lens, jpeg: new Blob([new Uint8Array(buffer, HEAD)], { type: "image/jpeg" }) };
}

function lensOf([fx, fy, cx, cy, k1, k2, p1, p2, k3, ...rest]) {
  const rows = [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6, 9)];
  return { fx, fy, cx, cy, k1, k2, p1, p2, k3, rows, place: rest.slice(9, 12), height: rest[12] };
}

/** Where a place of the field (m) is seen in a picture (pixels): a pinhole, and what its lens bends; null: behind it. */
export function seenAt(lens, x, y, z) {
  const { fx, fy, cx, cy, k1, k2, p1, p2, k3, rows, place } = lens;
  const off = [x - place[0], y - place[1], z - place[2]];
  const [right, down, ahead] = rows.map((row) => row[0] * off[0] + row[1] * off[1] + row[2] * off[2]);
  if (!(ahead > 1e-6)) return null;
  const u = right / ahead, v = down / ahead, r2 = u * u + v * v, bent = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
  return [
    fx * (u * bent + 2 * p1 * u * v + p2 * (r2 + 2 * u * u)) + cx,
    fy * (v * bent + p1 * (r2 + 2 * v * v) + 2 * p2 * u * v) + cy,
  ];
}

export class CameraWindow {
  constructor() {
    this.title = make("figcaption", {}, "Camera: no picture yet");
    this.canvas = make("canvas", { role: "img", "aria-label": "What the camera above the field sees, with the models drawn over it" });
    this.element = make("figure", { class: "view-pane view-camera" }, this.title, make("div", { class: "view-frame" }, this.canvas));
    this.poses = new Poses(0);
    this.shown = null; // the picture that is drawn
    this.counters = { pictures: 0, spoilt: 0 };
  }

  /** A picture has come: it is shown once it is read, unless a newer one is there by then. */
  async take(taken) {
    this.newest = taken.seq;
    this.counters.pictures++;
    let image;
    try {
      image = await createImageBitmap(taken.jpeg);
    } catch {
      this.counters.spoilt++; // what is no picture is not shown
      return;
    }
    if (this.newest !== taken.seq) return image.close();
    this.shown?.image.close();
    this.shown = { ...taken, image };
  }

  /** Take the room that there is. */
  resize(width, height) {
    [this.room, this.most] = [width, height];
  }

  draw({ scene, source, colours, labels }, time) {
    const { shown, canvas, room } = this;
    if (!shown || !room) return;
    const late = time - shown.time, known = shown.lens ? "" : "; nobody knows where the camera is";
    const apart = Math.abs(late) > LATE ? `, ${Math.abs(late).toFixed(0)} s ${late > 0 ? "before" : "after"} the map` : "";
    say(this.title, `Camera${apart}${known}`);
    const factor = Math.min(room / shown.width, this.most / shown.height), ratio = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [Math.round(factor * shown.width), Math.round(factor * shown.height)];
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    const context = canvas.getContext("2d");
    this.scale = factor;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.drawImage(shown.image, 0, 0, width, height);
    if (!shown.lens) return;
    source.poses(shown.time, this.poses);
    this._field(context, scene, colours);
    for (const group of batches(scene, new Set(SHOWN))) this._bodies(context, group, scene, colours, labels);
  }

  /** Where a place is on the canvas (CSS pixels); null: it is not to be seen. */
  pixel(x, y, z) {
    const { lens, width, height } = this.shown, found = lens && seenAt(lens, x, y, z);
    if (!found || found[0] < -width || found[1] < -height || found[0] > 2 * width || found[1] > 2 * height) return null;
    return [(found[0] + 0.5) * this.scale, (found[1] + 0.5) * this.scale];
  }

  _field(context, { width, height }, colours) {
    const corners = [[0, 0], [width, 0], [width, height], [0, height]], edge = [];
    corners.forEach(([x, y], n) => {
      const [far, up] = corners[(n + 1) % 4];
      for (let k = 0; k < PIECES; k++) edge.push([x + (k / PIECES) * (far - x), y + (k / PIECES) * (up - y), 0]);
    });
    this._path(context, edge);
    this._ink(context, colours, colours.wall, [2, 5], 1.5);
  }

  /** Bodies stand on the floor, and are as high as the robots' markers. */
  _bodies(context, { kind, colour, thing, slots }, scene, colours, labels) {
    const { poses, shown } = this, high = shown.lens.height, own = colour ? ink(colour) : colours[thing ? "soft" : kind];
    for (const slot of slots) {
      if (!(poses.flags[slot] & THERE)) continue;
      const [x, y, heading, { radius, robot, name }] = [poses.x[slot], poses.y[slot], poses.heading[slot], scene.body(slot)];
      const ring = (z) => Array.from({ length: PIECES }, (_, n) => {
        const angle = heading + (2 * Math.PI * n) / PIECES;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle), z];
      });
      if (kind === "virtual") { // as if it stood there
        this._path(context, ring(0));
        this._ink(context, colours, own, [], 1);
        this._path(context, ring(high));
        [context.fillStyle, context.globalAlpha] = [own, 0.3];
        context.fill();
        context.globalAlpha = 1;
      } else this._path(context, ring(high));
      this._ink(context, colours, own, DASHES[kind], 2);
      this._path(context, [[x, y, high], [x + radius * Math.cos(heading), y + radius * Math.sin(heading), high]], false);
      this._ink(context, colours, own, [], 2);
      const at = labels && this.pixel(x, y, high), edge = at && this.pixel(x + radius, y, high);
      if (edge) this._name(context, colours, robot ? `${robot}` : name, at[0] + Math.hypot(edge[0] - at[0], edge[1] - at[1]) + 5, at[1]);
    }
  }

  _path(context, points, closed = true) {
    context.beginPath();
    let joined = false;
    for (const point of points) {
      const at = this.pixel(...point);
      if (at) context[joined ? "lineTo" : "moveTo"](...at);
      joined = at !== null;
    }
    if (closed && joined) context.closePath();
  }

  /** A line on one of the ground's colour, to be seen on any picture. */
  _ink(context, colours, own, dash, width) {
    for (const [colour, wide, gaps] of [[colours.paper, width + 2, []], [own, width, dash]]) {
      [context.strokeStyle, context.lineWidth] = [colour, wide];
      context.setLineDash(gaps);
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** Beside a body, as on the map. */
  _name(context, colours, words, x, y) {
    context.font = "12px system-ui, sans-serif";
    [context.textAlign, context.textBaseline, context.lineJoin] = ["left", "middle", "round"];
    [context.strokeStyle, context.fillStyle, context.lineWidth] = [colours.paper, colours.ink, 3];
    context.strokeText(words, x, y);
    context.fillText(words, x, y);
  }
}
