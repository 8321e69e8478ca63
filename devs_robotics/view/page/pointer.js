// Drag, pinch, wheel and click on a window.

const SLIP = 4; // a press that moves further is a drag (pixels)
const FINGER = 16; // a body may be missed by so much (pixels)

/** Let a pane's canvas move its camera; `act` has moved(), chosen(slot) and whether the wheel zooms: wheel(event). */
export function pointers(canvas, view, act, near) {
  const down = new Map();
  let way = 0;
  const local = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, local(event));
    if (down.size === 1) way = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    way += Math.hypot(now[0] - before[0], now[1] - before[1]);
    const others = [...down.entries()].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    down.set(event.pointerId, now);
    if (way < SLIP) return;
    const { camera } = view;
    if (others.length) { // two fingers: what is under them stays under them
      const [other] = others, apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
      zoom(view, apart(now) / Math.max(apart(before), 1), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    }
    const share = 1 / (others.length + 1);
    camera.x -= (share * (now[0] - before[0])) / camera.scale;
    camera.y += (share * (now[1] - before[1])) / camera.scale;
    act.moved();
  });
  const up = (event) => {
    if (!down.delete(event.pointerId) || event.type !== "pointerup" || way >= SLIP) return;
    act.chosen(near(...local(event), FINGER));
  };
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, up);
  canvas.addEventListener("wheel", (event) => {
    if (!act.wheel(event)) return;
    event.preventDefault();
    zoom(view, Math.exp(-event.deltaY * (event.deltaMode ? 0.03 : 0.0015)), local(event));
    act.moved();
  }, { passive: false });
}

/** Make everything larger by a factor; a pixel stays where it is. */
export function zoom(view, factor, [px, py] = [view.width / 2, view.height / 2]) {
  const [x, y] = view.place(px, py), { camera } = view;
  camera.scale = Math.min(Math.max(camera.scale * factor, 0.01), 1e5);
  const [after, above] = view.place(px, py);
  camera.x += x - after;
  camera.y += y - above;
}
