// A replay that stands in the page itself: its scene as JSON, its timeline in base64.

import { Scene } from "./scene.js";
import { decoded, inflated, Timeline } from "./timeline.js";
import { Viewer } from "./viewer.js";

/** Show what is in a script of the type application/json; returns the viewer. */
export async function replay(root, data, options) {
  const told = JSON.parse(data.textContent);
  const scene = new Scene(told.scene, told.marks), timeline = new Timeline(scene, told.begin, told.end);
  for (const chunk of told.chunks) {
    const bytes = Uint8Array.from(atob(chunk), (letter) => letter.charCodeAt(0));
    timeline.add(decoded(await inflated(bytes)));
  }
  timeline.build();
  const viewer = new Viewer(root, scene, timeline, options);
  viewer.told = told;
  return viewer;
}
