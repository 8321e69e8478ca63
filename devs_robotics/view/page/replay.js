// A replay that stands in the page itself: its scene as JSON, its timeline in base64.

import { Scene } from "./scene.js";
import { decoded, inflated, Timeline } from "./timeline.js";
import { Viewer } from "./viewer.js";

/** Show what is in a script of the type application/json; returns the viewer. */
export async function replay(root, data, options) {
  const told = JSON.parse(data.textContent), opened = (text) => inflated(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  const marks = told.marks ? await opened(told.marks) : null;
  const scene = new Scene(told.scene, marks ? JSON.parse(new TextDecoder().decode(marks)) : []), timeline = new Timeline(scene, told.begin, told.end);
  for (const chunk of told.chunks) timeline.add(decoded(await opened(chunk)));
  timeline.build();
  const viewer = new Viewer(root, scene, timeline, options);
  const series = Object.entries(told.series).map(([name, [times, values]]) => [name, times.map((time, n) => [time, values[n]])]);
  if (series.length) { // then what draws them stands in the page, too
    const { Plots } = await import("view/plots.js");
    const plots = new Plots(viewer);
    viewer.table.element.after(plots.element);
    plots.take(Object.fromEntries(series));
  }
  return viewer;
}
