// Values over time under the picture: steps, since a value holds until the next one. A line stands at the time that is
// shown, the value then is told beside the name, and a click goes to a time.

import { make, say } from "./dom.js";
import { gridStep } from "./draw.js";

const MOST = 8; // plots
const POINTS = 20000; // of one of them; then every second goes
const HEIGHT = 150; // of a plot (CSS pixels)
const [LEFT, RIGHT, TOP, FOOT] = [60, 8, 6, 20]; // room round the values
const ROUND = 0.1; // room above and below them, of their range

export class Plots {
  constructor(viewer) {
    this.viewer = viewer;
    viewer.plots = this;
    this.plots = new Map();
    this.marks = { ...viewer.scene.published };
    this.element = make("div", { class: "view-plots" });
    viewer.listeners.add(() => this.draw());
    for (const event of ["beforeprint", "afterprint"]) addEventListener(event, () => this.draw()); // after the viewer, which changes the colours
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** Add values: {name: [[time, value], ...]}; marks are {name: value}, lines of published values. */
  take(series, marks = {}) {
    for (const [name, value] of Object.entries(marks || {})) if (Number.isFinite(value)) this.marks[name] = value;
    for (const [name, values] of Object.entries(series || {})) {
      if (!this.plots.has(name) && this.plots.size >= MOST) continue;
      if (!this.plots.has(name)) this.plots.set(name, new Plot(this, name));
      this.plots.get(name).add(values);
    }
    this.draw();
  }

  draw() {
    const style = getComputedStyle(this.viewer.root), colour = (name) => style.getPropertyValue(`--view-${name}`).trim();
    const room = this.element.clientWidth || 320, width = room >= 640 ? Math.floor(room / 2) - 8 : room;
    for (const plot of this.plots.values()) plot.draw(width, colour);
  }
}

class Plot {
  constructor(plots, name) {
    Object.assign(this, { plots, name, times: [], values: [], low: Infinity, high: -Infinity });
    this.canvas = make("canvas", { role: "img", "aria-label": `${name} over time (s)`, onclick: ({ offsetX }) => plots.viewer.seek(this.timeAt(offsetX)) });
    this.title = make("figcaption");
    plots.element.append(make("figure", { class: "view-plot" }, this.title, this.canvas));
  }

  add(values) {
    for (const [time, value] of values) {
      this.times.push(time);
      this.values.push(value);
      [this.low, this.high] = [Math.min(this.low, value), Math.max(this.high, value)];
    }
    if (this.times.length <= POINTS) return;
    for (const name of ["times", "values"]) this[name] = this[name].filter((_, n) => n % 2 === 0);
  }

  /** From when to when it goes (s): all of a recording, in a live view what there is. */
  get span() {
    const { source } = this.plots.viewer, { times } = this;
    if (!source.live) return [source.begin, source.end];
    return [times[0] ?? 0, Math.max(times.at(-1) ?? 0, source.end)];
  }

  /** From where to where the axis of values goes: a published one is within the plot, too. */
  get range() {
    if (!this.times.length) return [0, 1];
    const mark = this.plots.marks[this.name] ?? this.low, low = Math.min(this.low, mark), high = Math.max(this.high, mark);
    const more = ROUND * (high - low) || 0.5 * Math.abs(high) || 1;
    return [low >= 0 && low < more ? 0 : low - more, high <= 0 && -high < more ? 0 : high + more];
  }

  /** Find where times and values are in so much room (CSS pixels). */
  _fit(width) {
    this.width = width;
    [[this.begin, this.end], [this.least, this.most]] = [this.span, this.range];
    this.across = (width - LEFT - RIGHT) / (this.end - this.begin || 1);
    this.up = (HEIGHT - TOP - FOOT) / (this.most - this.least);
  }

  px(time) {
    return LEFT + (time - this.begin) * this.across;
  }

  py(value) {
    return HEIGHT - FOOT - (value - this.least) * this.up;
  }

  timeAt(px) {
    return this.begin + (px - LEFT) / this.across;
  }

  /** The value that holds at a time; not a number before the first one. */
  valueAt(time) {
    let low = -1, high = this.times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return low < 0 ? NaN : this.values[low];
  }

  draw(width, colour) {
    const { canvas, plots } = this, { time } = plots.viewer, ratio = Math.min(devicePixelRatio || 1, 2), mark = plots.marks[this.name];
    this._fit(width);
    Object.assign(canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
    if (canvas.width !== Math.round(width * ratio)) [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(HEIGHT * ratio)];
    const context = (this.context = canvas.getContext("2d")), now = this.valueAt(time);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    this._axes(colour);
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, width - LEFT - RIGHT + 1, HEIGHT - FOOT + 1);
    context.clip();
    this._steps(colour("virtual"));
    if (mark !== undefined) this._line(colour("mark"), [6, 4], LEFT, this.py(mark), width - RIGHT, this.py(mark));
    this._line(colour("error"), [], this.px(time), 0, this.px(time), HEIGHT - FOOT);
    context.restore();
    const told = mark === undefined ? "" : `, dashed: published, ${short(mark)}`;
    say(this.title, `${this.name}${Number.isFinite(now) ? `: ${short(now)}` : ""}${told}`);
  }

  _axes(colour) {
    const { context, width, begin, end, least, most } = this;
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = colour("soft");
    const across = gridStep(this.across, 80), up = gridStep(this.up, 28);
    [context.textAlign, context.textBaseline] = ["center", "bottom"];
    for (let n = Math.ceil(begin / across); n * across <= end; n++) {
      const x = this.px(n * across);
      this._line(colour("grid"), [], x, TOP, x, HEIGHT - FOOT);
      context.fillText(short(n * across), x, HEIGHT);
    }
    [context.textAlign, context.textBaseline] = ["right", "middle"];
    for (let n = Math.ceil(least / up); n * up <= most; n++) {
      const y = this.py(n * up);
      this._line(colour("grid"), [], LEFT, y, width - RIGHT, y);
      context.fillText(short(n * up), LEFT - 5, y);
    }
  }

  /** All values; of those that share a column of pixels the first, the lowest, the highest and the last. */
  _steps(colour) {
    const { context, times, values } = this;
    if (!times.length) return;
    context.beginPath();
    let y = this.py(values[0]), low = y, high = y, x = this.px(times[0]), at = Math.round(x);
    context.moveTo(x, y);
    const flush = () => {
      if (low === high) return;
      context.lineTo(x, low);
      context.lineTo(x, high);
      context.lineTo(x, y);
    };
    for (let n = 1; n < times.length; n++) {
      const next = this.px(times[n]);
      if (Math.round(next) !== at) {
        flush();
        context.lineTo(next, y);
        [x, at, low, high] = [next, Math.round(next), y, y];
      }
      y = this.py(values[n]);
      [low, high] = [Math.min(low, y), Math.max(high, y)];
    }
    flush();
    context.lineTo(this.px(this.end), y); // the last one holds
    [context.strokeStyle, context.lineWidth] = [colour, 1.5];
    context.stroke();
  }

  _line(colour, dash, x0, y0, x1, y1) {
    const { context } = this;
    [context.strokeStyle, context.lineWidth] = [colour, 1];
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
    context.setLineDash([]);
  }
}

/** A number in few digits. */
function short(value) {
  return `${+value.toPrecision(4)}`;
}
