// Values over time under the picture, drawn by uPlot; a line stands at the time that is shown, and a click goes there.

import { make } from "./dom.js";

const MOST = 8; // plots
const POINTS = 20000; // of one of them; then every second goes
const HEIGHT = 150;

export class Plots {
  constructor(viewer) {
    this.viewer = viewer;
    viewer.plots = this;
    this.plots = new Map();
    this.marks = { ...viewer.scene.published };
    this.element = make("div", { class: "view-plots" });
    viewer.listeners.add(() => this._show());
    for (const event of ["beforeprint", "afterprint"]) addEventListener(event, () => this._again()); // after the viewer, which changes the colours
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this._again());
    new ResizeObserver(() => this._size()).observe(this.element);
  }

  /** uPlot is large, and is loaded when there is something to plot; it is a script of the old kind. */
  static load() {
    if (window.uPlot) return Promise.resolve();
    return (Plots.loading ||= new Promise((resolve, reject) => {
      document.head.append(make("script", { src: "uPlot.iife.min.js", onload: resolve, onerror: reject }));
    }));
  }

  /** Add values: {name: [[time, value], ...]}; marks are {name: value}, lines of published values. */
  take(series, marks = {}) {
    for (const [name, value] of Object.entries(marks || {})) if (Number.isFinite(value)) this.marks[name] = value;
    for (const [name, values] of Object.entries(series || {})) {
      let plot = this.plots.get(name);
      if (!plot && this.plots.size >= MOST) continue;
      if (!plot) this.plots.set(name, (plot = { name, data: [[], []], drawn: null }));
      for (const [time, value] of values) {
        plot.data[0].push(time);
        plot.data[1].push(value);
      }
      if (plot.data[0].length > POINTS) plot.data = plot.data.map((column) => column.filter((_, n) => n % 2 === 0));
      if (plot.drawn) plot.drawn.setData(this._held(plot));
      else if (!plot.waits) plot.waits = Plots.load().then(() => this._draw(plot));
    }
  }

  /** A plot's values; in a recording the last one holds to the end. */
  _held({ data: [times, values] }) {
    const { source } = this.viewer, { live, end } = source;
    return live || !times.length || times.at(-1) >= end ? [times, values] : [[...times, end], [...values, values.at(-1)]];
  }

  _draw(plot) {
    const style = getComputedStyle(this.viewer.root), colour = (name) => style.getPropertyValue(`--view-${name}`);
    const { source } = this.viewer, plain = source.live ? {} : { range: [source.begin, source.end] };
    const axis = { stroke: colour("soft"), grid: { stroke: colour("grid"), width: 1 }, ticks: { stroke: colour("grid") } };
    const mark = () => this.marks[plot.name];
    plot.element ||= this.element.appendChild(make("div", { class: "view-plot", role: "img", "aria-label": `${plot.name} over time (s)` }));
    plot.drawn = new uPlot({
      width: this._width(), height: HEIGHT, title: this._title(plot.name), legend: { show: false }, cursor: { sync: { key: "view" }, drag: { x: false, y: false } },
      scales: { x: { time: false, ...plain }, y: { range: (_, low, high) => reach(low, high, mark()) } },
      axes: [axis, { ...axis, size: 60 }],
      series: [{}, { stroke: colour("virtual"), width: 1.5, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }],
      hooks: { draw: [(drawn) => this._lines(drawn, mark(), colour)] },
    }, this._held(plot), plot.element);
    plot.drawn.over.addEventListener("click", () => {
      const { left } = plot.drawn.cursor;
      if (left >= 0) this.viewer.seek(plot.drawn.posToVal(left, "x"));
    });
  }

  _title(name) {
    const published = this.marks[name];
    return published === undefined ? name : `${name}, dashed: published, ${+published.toPrecision(3)}`;
  }

  /** The line of the time that is shown, and that of a published value. */
  _lines(drawn, mark, colour) {
    const { ctx, bbox } = drawn;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = devicePixelRatio;
    for (const [x, y, name, dash] of [[this.viewer.time, null, "error", []], [null, mark, "mark", [6, 4]]]) {
      if (x === null && y === undefined) continue;
      ctx.strokeStyle = colour(name);
      ctx.setLineDash(dash);
      ctx.beginPath();
      const at = x === null ? drawn.valToPos(y, "y", true) : drawn.valToPos(x, "x", true);
      ctx.moveTo(x === null ? bbox.left : at, x === null ? at : bbox.top);
      ctx.lineTo(x === null ? bbox.left + bbox.width : at, x === null ? at : bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  _show() {
    for (const { drawn } of this.plots.values()) drawn?.redraw(false, false);
  }

  _again() {
    for (const plot of this.plots.values()) {
      if (!plot.drawn) continue;
      plot.drawn.destroy();
      this._draw(plot);
    }
  }

  _width() {
    const width = this.element.clientWidth || 320;
    return width >= 640 ? Math.floor(width / 2) - 8 : width;
  }

  _size() {
    for (const { drawn } of this.plots.values()) if (drawn && drawn.width !== this._width()) drawn.setSize({ width: this._width(), height: HEIGHT });
  }
}

/** From where to where an axis of values goes: a published one is within the plot, too. */
function reach(low, high, mark) {
  if (low === null || low === undefined) return [null, null];
  return mark === undefined ? uPlot.rangeNum(low, high, 0.1, true) : uPlot.rangeNum(Math.min(low, mark), Math.max(high, mark), 0.1, true);
}
