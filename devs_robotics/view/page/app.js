// The page of a server: a run that goes on, or a recording.

import { CameraWindow } from "./camera.js";
import { say } from "./dom.js";
import { Events } from "./events.js";
import { fetchTimeline, Link, LiveSource } from "./live.js";
import { Plots } from "./plots.js";
import { RunBar } from "./runbar.js";
import { Scene } from "./scene.js";
import { Viewer } from "./viewer.js";

const root = document.getElementById("view"), title = document.querySelector("h1"), above = document.getElementById("above");
let showing = Promise.resolve();
let hello = {}, scene = null, source = null, viewer = null, events = null, plots = null, lostAt = 0, waiting = null;

/** Take the token out of the address bar: it is in no log and no Referer, and is not to be seen. */
function token() {
  const found = decodeURIComponent(location.hash.slice(1)).replace(/^token=/, "");
  if (found) history.replaceState(null, "", location.pathname + location.search);
  return found;
}

function named(text) {
  say(title, text);
  document.title = lostAt ? `no link · ${text}` : text;
}

async function show(message) {
  const first = !viewer;
  if (hello.kind === "recording" && !first) return; // it is here already
  scene = new Scene(message, message.changes || []);
  scene.revision = message.revision ?? 0;
  named(scene.title || hello.title || "View");
  if (hello.kind === "recording") source = await fetchTimeline(scene, hello.chunks ?? 1, link.token);
  else if (!source) source = new LiveSource(scene);
  source.scene = scene;
  if (source.history) source.history.scene = scene;
  if (hello.kind !== "recording" && hello.chunks && !source.history) source.history = await fetchTimeline(scene, hello.chunks, link.token);
  if (first) begin();
  else {
    viewer.scene = viewer.windows.scene = scene;
    viewer.restyle();
  }
  if (waiting && waiting.revision === scene.revision) take(waiting);
  waiting = null;
}

function begin() {
  viewer = new Viewer(root, scene, source, { whole: true, camera: hello.camera ? new CameraWindow() : null });
  plots = new Plots(viewer);
  events = new Events(viewer);
  viewer.wants = want;
  viewer.table.element.after(plots.element, events.element);
  plots.take(hello.series);
  Object.defineProperty(window.view, "link", { value: link });
  want();
}

function take(state) {
  if (!viewer || !source.live || state.revision !== scene.revision) {
    waiting = state; // until its scene comes, or with the next
    return;
  }
  source.take(state);
  bar.old(source.age);
  viewer.redraw();
}

/** A hidden page gets nothing but the status; a recording comes as a whole. */
function want() {
  const hidden = document.visibilityState === "hidden", live = hello.kind !== "recording";
  const { rays = true, messages = true } = viewer?.controls.shown || {};
  const chosen = viewer && viewer.chosen >= 0 ? scene.body(viewer.chosen).robot : 0;
  const robots = !rays ? [] : chosen ? [chosen] : null; // whose rays
  const pictures = live && !hidden && viewer?.windows.mode === "camera";
  link.want({ rate: hidden || !live ? 0 : (hello.rate ?? 30), events: live && !hidden && (rays || messages), metrics: live, robots, pictures });
}

const link = new Link({
  up() {
    lostAt = 0;
    bar.lost(0);
    root.classList.remove("view-lost");
    named(scene?.title || hello.title || "View");
  },
  down(reason) {
    source?.lost?.();
    lostAt ||= Date.now();
    bar.lost(lostAt, reason);
    root.classList.add("view-lost");
    named(scene?.title || hello.title || "View");
  },
  hello(message) {
    if (hello.session !== undefined && hello.session !== message.session) { // another run: nothing of the old one stays
      viewer?.end();
      [source, viewer, scene] = [null, null, null];
      root.replaceChildren();
    }
    hello = message;
    bar.allow(hello.control || []);
    want();
  },
  scene: (message) => (showing = showing.then(() => show(message))), // one after the other: history has to be fetched
  joined(message) {
    scene?.join(message.bodies || []);
    change(message);
  },
  left(message) {
    scene?.leave(message.slots || []);
    change(message);
  },
  marks(message) {
    for (const change of message.changes || []) scene?.mark(change);
    viewer?.redraw();
  },
  state: take,
  picture(message) {
    if (viewer?.playing) viewer.windows.sees(message).then(() => viewer.redraw()); // Space freezes it, too
  },
  events: (message) => events?.take(message),
  metrics: (message) => plots?.take(message.series, message.marks),
  status(message) {
    bar.status(message);
    viewer?.tell(`run: ${message.state}${message.reason ? `, ${message.reason}` : ""}`);
  },
}, token());
const bar = new RunBar(link);
above.append(bar.element);
document.addEventListener("visibilitychange", want);

function change(message) {
  if (!scene) return;
  scene.revision = message.revision ?? scene.revision;
  viewer?.restyle();
  if (waiting && waiting.revision === scene.revision) take(waiting);
}
