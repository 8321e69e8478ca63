// Drawing with Canvas 2D: the field on a canvas of its own, all discs of a kind in one path, all headings in one path.

import { Labels } from "./labels.js";
import { KINDS } from "./scene.js";
import { MOVING, THERE, UNSURE } from "./timeline.js";

const SQUARES = 3; // bodies with a smaller radius are drawn as squares (pixels)
const LABELLED = 200; // so many bodies at most get their numbers
const CROWD = 60; // numbers of so many bodies at most cover no bodies
const ROUND = 2 * Math.PI;
const COLOURS = [
  "paper", "ink", "soft", "grid", "wall", "obstacle", "virtual", "counterpart", "outside", "real", "chosen", "track",
  "error", "mark",
];

/** Colours that marks and bodies may name, as in colours.py: those of the web would not be told apart by all. */
export const NAMED = {
  black: "#000000", white: "#ffffff", grey: "#808080", gray: "#808080", red: "#cc3311", orange: "#e69f00",
  yellow: "#f0e442", green: "#009e73", blue: "#0072b2", purple: "#a3478a", brown: "#7a4a1e",
};
export const ink = (colour) => NAMED[colour] || colour;

/** The colours of the page's style sheet, by their names. */
export function palette(element) {
  const style = getComputedStyle(element), found = {};
  for (const name of COLOURS) found[name] = style.getPropertyValue(`--view-${name}`).trim() || "#888";
  return found;
}

/** What part of the field a canvas shows: its middle (m) and pixels for a metre. */
export class Camera {
  constructor() {
    [this.x, this.y, this.scale] = [0, 0, 100];
  }
}

/** A canvas's size in CSS pixels, and where places are in it. */
export class View {
  constructor(camera) {
    this.camera = camera;
    [this.width, this.height, this.ratio] = [1, 1, 1];
  }

  px(x) {
    return this.width / 2 + (x - this.camera.x) * this.camera.scale;
  }

  py(y) {
    return this.height / 2 - (y - this.camera.y) * this.camera.scale;
  }

  /** Place (m) of a pixel. */
  place(px, py) {
    const { x, y, scale } = this.camera;
    return [x + (px - this.width / 2) / scale, y - (py - this.height / 2) / scale];
  }

  /** Make a canvas as large as this. */
  size(canvas) {
    const [width, height] = [Math.round(this.width * this.ratio), Math.round(this.height * this.ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  }

  /** A canvas's context, whose unit is a CSS pixel, emptied. */
  fresh(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    return context;
  }
}

/** Distance between lines of the grid (m): 1, 2 or 5 times a power of ten. */
export function gridStep(scale, pixels = 48) {
  const least = pixels / scale, power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

/** The field: grid with its unit, walls, obstacles, marks that belong to no robot; returns where its words are. */
export function drawField(context, view, scene, colours, marks) {
  const { width, height } = view, step = gridStep(view.camera.scale);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, height);
  const [left, high] = view.place(0, 0), [right, low] = view.place(width, height);
  const [x0, x1] = [Math.max(0, left), Math.min(scene.width, right)];
  const [y0, y1] = [Math.max(0, low), Math.min(scene.height, high)];
  const grounds = [...marks.values()].filter((mark) => isGround(mark, scene));
  for (const mark of grounds) drawMark(context, view, mark, colours);
  context.strokeStyle = grounds.length ? "rgba(128, 128, 128, 0.3)" : colours.grid;
  context.lineWidth = 1;
  context.beginPath();
  for (let n = Math.ceil(x0 / step); n * step <= x1; n++) line(context, view, n * step, y0, n * step, y1);
  for (let n = Math.ceil(y0 / step); n * step <= y1; n++) line(context, view, x0, n * step, x1, n * step);
  context.stroke();
  for (const mark of marks.values()) if (!mark.robot && mark.filled && !isGround(mark, scene)) drawMark(context, view, mark, colours);
  context.fillStyle = colours.obstacle;
  context.strokeStyle = colours.wall;
  for (const obstacle of scene.obstacles) {
    outline(context, view, obstacle.shape);
    context.fill();
    context.stroke();
  }
  context.lineWidth = 2;
  context.setLineDash(scene.walled ? [] : [2, 5]);
  context.strokeRect(view.px(0), view.py(scene.height), scene.width * view.camera.scale, scene.height * view.camera.scale);
  context.setLineDash([]);
  for (const mark of marks.values()) if (!mark.robot && !mark.filled) drawMark(context, view, mark, colours);
  for (const obstacle of scene.obstacles) if (obstacle.name) text(context, obstacle.name, ...middle(view, obstacle.shape), colours);
  drawScale(context, view, step, colours);
  const labels = new Labels(view, inkOver(colours, marks, scene), [[0, view.height - 24, step * view.camera.scale + 20, view.height]]); // the scale
  for (const mark of marks.values()) if (!mark.robot) drawText(context, view, mark, labels);
  return labels.taken;
}

/** A mark's words beside it, or above its robot. */
export function drawText(context, view, mark, labels, pose = null) {
  if (!mark.text) return;
  const { scale } = view.camera;
  if (pose) labels.put(context, mark.text, view.px(pose[0]), view.py(pose[1]), pose[3] * scale + 5, "above");
  else if (mark.shape?.shape === "circle") labels.put(context, mark.text, view.px(mark.shape.x), view.py(mark.shape.y), mark.shape.radius * scale);
  else if (mark.shape?.corners) putWithin(context, view, mark, labels);
  else if (mark.shape) {
    const [x, y] = middle(view, mark.shape);
    labels.put(context, mark.text, x, y - 6, 0);
  }
}

/** An area's words at the upper edge of what is seen of it: there are fewer robots than in its middle. */
function putWithin(context, view, mark, labels) {
  const xs = mark.shape.corners.map(([x]) => view.px(x)), ys = mark.shape.corners.map(([, y]) => view.py(y));
  const [left, right] = [Math.max(Math.min(...xs), 0), Math.min(Math.max(...xs), view.width)];
  const [high, low] = [Math.max(Math.min(...ys), 0), Math.min(Math.max(...ys), view.height)];
  if (left < right && high < low) labels.put(context, mark.text, (left + right) / 2, high, 0, "below");
}

/** Colours of words: a ground is light in every theme, and so is what they stand on. */
export function inkOver(colours, marks, scene) {
  return [...marks.values()].some((mark) => isGround(mark, scene)) ? { ...colours, paper: "#fff", ink: "#1f2933" } : colours;
}

/** Whether a mark is what the whole field looks like, below its grid. */
function isGround(mark, { width, height }) {
  const corners = (!mark.robot && mark.filled && mark.colour && mark.shape?.corners) || [];
  return corners.length === 4 && corners.every(([x, y]) => (x === 0 || x === width) && (y === 0 || y === height));
}

function drawScale(context, view, step, colours) {
  const length = step * view.camera.scale, x = 10, y = view.height - 5;
  const said = step >= 1 ? `${step} m` : step >= 0.01 ? `${+(100 * step).toFixed(3)} cm` : `${+(1000 * step).toFixed(3)} mm`;
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 4);
  context.lineTo(x, y);
  context.lineTo(x + length, y);
  context.lineTo(x + length, y - 4);
  context.stroke();
  text(context, said, x + length / 2, y - 6, colours);
}

/** One text, centred over its foot, on a halo of the ground's colour. */
function text(context, words, x, y, colours) {
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colours.paper;
  context.strokeText(words, x, y);
  context.fillStyle = colours.ink;
  context.fillText(words, x, y);
}

function line(context, view, x0, y0, x1, y1) {
  context.moveTo(view.px(x0), view.py(y0));
  context.lineTo(view.px(x1), view.py(y1));
}

/** Begin a path that is a shape of the field. */
function outline(context, view, shape) {
  context.beginPath();
  if (shape.shape === "circle") {
    context.arc(view.px(shape.x), view.py(shape.y), shape.radius * view.camera.scale, 0, ROUND);
    return;
  }
  const points = shape.corners || shape.points || [];
  points.forEach(([x, y], number) => context[number ? "lineTo" : "moveTo"](view.px(x), view.py(y)));
  if (shape.corners) context.closePath();
}

function middle(view, shape) {
  if (shape.shape === "circle") return [view.px(shape.x), view.py(shape.y) + 6];
  const points = shape.corners || shape.points || [[0, 0]];
  const sum = points.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [view.px(sum[0] / points.length), view.py(sum[1] / points.length) + 6];
}

/** A mark in the field, or, at a pose, in a robot's frame. */
export function drawMark(context, view, mark, colours, pose = null) {
  context.save();
  context.strokeStyle = context.fillStyle = colours.mark;
  if (mark.colour) context.strokeStyle = context.fillStyle = ink(mark.colour); // what is no colour changes nothing
  if (mark.shape) {
    const shape = pose ? placed(mark.shape, pose) : mark.shape;
    outline(context, view, shape);
    context.lineJoin = "round";
    context.lineWidth = Math.max(1.5, (shape.width || 0) * view.camera.scale);
    context.globalAlpha = mark.colour ? 1 : 0.35; // a colour of its own covers what is below, as a floor does
    if (mark.filled) context.fill();
    context.globalAlpha = 1;
    context.stroke();
  }
  context.restore();
}

/** A shape of a robot's frame in the field. */
function placed(shape, [x, y, heading]) {
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  const put = ([px, py]) => [x + c * px - s * py, y + s * px + c * py];
  if (shape.shape === "circle") {
    const [px, py] = put([shape.x, shape.y]);
    return { ...shape, x: px, y: py };
  }
  return shape.corners ? { ...shape, corners: shape.corners.map(put) } : { ...shape, points: shape.points.map(put) };
}

/** Slots that are drawn alike, by their kind and colour; `kinds` says which are shown. */
export function batches(scene, kinds) {
  const found = new Map();
  for (const kind of KINDS) {
    for (const body of kinds.has(kind) ? scene.bodies : []) {
      if (!body || body.kind !== kind || body.gone) continue;
      const thing = scene.isThing(body), key = `${kind} ${thing} ${body.colour}`;
      if (!found.has(key)) found.set(key, { kind, thing, colour: body.colour, slots: [] });
      found.get(key).slots.push(body.slot);
    }
  }
  return [...found.values()];
}

export const DASHES = { virtual: [], counterpart: [5, 3], outside: [1.5, 3], real: [] };

/** All bodies: real ones filled, virtual ones hollow, counterparts dashed (lighter while they move), others dotted. */
export function drawBodies(context, view, groups, scene, poses, colours) {
  for (const group of groups) {
    context.strokeStyle = colours[group.kind];
    if (group.thing) context.strokeStyle = colours.soft;
    if (group.colour) context.strokeStyle = ink(group.colour);
    if (group.thing) {
      context.fillStyle = context.strokeStyle;
      discs(context, view, group.slots, scene, poses, -1, 1);
      continue;
    }
    context.fillStyle = { real: context.strokeStyle, counterpart: "transparent" }[group.kind] || colours.paper;
    context.lineWidth = 2;
    context.setLineDash(DASHES[group.kind]);
    if (group.kind === "counterpart") { // on a line of the ground's colour, to be seen over its robot
      context.setLineDash([]);
      [context.strokeStyle, context.lineWidth] = [colours.paper, 4];
      discs(context, view, group.slots, scene, poses, -1, 1);
      [context.strokeStyle, context.lineWidth] = [colours[group.kind], 2];
      if (group.colour) context.strokeStyle = ink(group.colour);
      context.setLineDash(DASHES[group.kind]);
      discs(context, view, group.slots, scene, poses, MOVING | THERE, 0.55);
      discs(context, view, group.slots, scene, poses, THERE, 1);
    } else discs(context, view, group.slots, scene, poses, -1, 1);
    context.setLineDash([]);
    headings(context, view, group, scene, poses, colours);
  }
}

/** Discs of the slots whose flags (there, moving) are as asked for; -1: of all that are there. */
function discs(context, view, slots, scene, poses, flags, alpha) {
  const scale = view.camera.scale;
  context.globalAlpha = alpha;
  context.beginPath();
  for (let n = 0; n < slots.length; n++) {
    const slot = slots[n], flag = poses.flags[slot];
    if (!(flag & THERE) || (flags >= 0 && (flag & (THERE | MOVING)) !== flags)) continue;
    const radius = scene.bodies[slot].radius * scale, x = view.px(poses.x[slot]), y = view.py(poses.y[slot]);
    if (x < -radius || y < -radius || x > view.width + radius || y > view.height + radius) continue;
    if (radius < SQUARES) context.rect(x - Math.max(radius, 1), y - Math.max(radius, 1), 2 * Math.max(radius, 1), 2 * Math.max(radius, 1));
    else {
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, ROUND);
    }
  }
  context.fill();
  context.stroke();
  context.globalAlpha = 1;
}

function headings(context, view, group, scene, poses, colours) {
  const scale = view.camera.scale;
  if (group.kind === "real") context.strokeStyle = colours.paper;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let n = 0; n < group.slots.length; n++) {
    const slot = group.slots[n], radius = scene.bodies[slot].radius * scale;
    if (!(poses.flags[slot] & THERE) || radius < SQUARES) continue;
    const x = view.px(poses.x[slot]), y = view.py(poses.y[slot]);
    if (x < -radius || y < -radius || x > view.width + radius || y > view.height + radius) continue;
    context.moveTo(x, y);
    context.lineTo(x + radius * Math.cos(poses.heading[slot]), y - radius * Math.sin(poses.heading[slot]));
  }
  context.stroke();
}

/** Numbers of robots beside them, where there is room. */
export function drawLabels(context, view, groups, scene, poses, labels) {
  const real = groups.some(({ kind }) => kind === "real");
  groups = groups.filter((group) => !group.thing);
  const shown = groups.reduce((sum, group) => sum + group.slots.length, 0);
  if (shown > LABELLED) return;
  for (const { slots } of shown > CROWD ? [] : groups) { // nor do they stand on other robots
    for (const slot of slots) {
      const radius = scene.bodies[slot].radius * view.camera.scale, x = view.px(poses.x[slot]), y = view.py(poses.y[slot]);
      if (poses.flags[slot] & THERE) labels.taken.push([x - radius, y - radius, x + radius, y + radius]);
    }
  }
  for (const group of groups) {
    for (const slot of group.slots) {
      const body = scene.bodies[slot], radius = body.radius * view.camera.scale;
      if (!(poses.flags[slot] & THERE) || radius < SQUARES || (real && group.kind === "counterpart")) continue;
      labels.put(context, body.robot ? `${body.robot}` : body.name, view.px(poses.x[slot]), view.py(poses.y[slot]), radius + 1);
    }
  }
}

/** A ring round one body. */
export function drawRing(context, view, scene, poses, slot, colour, width = 3, more = 5) {
  if (slot < 0 || !(poses.flags[slot] & THERE)) return;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.arc(view.px(poses.x[slot]), view.py(poses.y[slot]), scene.body(slot).radius * view.camera.scale + more, 0, ROUND);
  context.stroke();
}

/** Rings round bodies that are not seen by the camera at the moment. */
export function drawUnsure(context, view, groups, scene, poses, colours) {
  for (const group of groups) {
    for (const slot of group.slots) if (poses.flags[slot] & UNSURE) drawRing(context, view, scene, poses, slot, colours.soft, 1, 9);
  }
}

/** Arrows from counterparts to where their robots are seen, so many times as long. */
export function drawErrors(context, view, scene, source, poses, time, colours, times) {
  context.beginPath();
  for (const [real, model] of scene.pairs) {
    if (!source.settled(real, model, time, poses)) continue;
    const x0 = view.px(poses.x[model]), y0 = view.py(poses.y[model]);
    const dx = times * (view.px(poses.x[real]) - x0), dy = times * (view.py(poses.y[real]) - y0), length = Math.hypot(dx, dy);
    if (length < 1) continue;
    const head = Math.min(7, length / 2), angle = Math.atan2(dy, dx);
    context.moveTo(x0, y0);
    context.lineTo(x0 + dx, y0 + dy);
    for (const side of [2.6, -2.6]) {
      context.moveTo(x0 + dx, y0 + dy);
      context.lineTo(x0 + dx + head * Math.cos(angle + side), y0 + dy + head * Math.sin(angle + side));
    }
  }
  for (const [colour, width] of [[colours.paper, 5], [colours.error, 2]]) {
    [context.strokeStyle, context.lineWidth] = [colour, width];
    context.stroke();
  }
}
