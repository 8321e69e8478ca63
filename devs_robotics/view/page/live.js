// The link to a run that goes on, or to a recording that is served: one WebSocket, ws beside the page.
// `scene` has the fields of scene.py's Scene beside `type` and `revision`, and `changes` of its marks: [time, name, mark or null];
// `joined` has `bodies`, `left` has `slots`, `marks` further `changes`. `hello` may have `chunks`: so many
// chunks of a timeline are at timeline/0 and so on (a recording, or what was kept of a run); and `series`.

import { picture } from "./camera.js";
import { inflated, decoded, MOVING, shorter, THERE, Timeline } from "./timeline.js";

const PROTOCOL = "devs-robotics.view.1";
const FIRST_WAIT = 0.25, LONGEST_WAIT = 5; // before it connects again (s)
const ROOM = 32e6; // for states that are kept for looking back (bytes)
const FRESH = 30; // the newest are kept all (s)

/** A state from its bytes; null: of a kind or version that is not known here. */
export function state(buffer) {
  if (buffer.byteLength < 32) return null;
  const head = new DataView(buffer, 0, 32), slots = head.getUint32(24, true);
  if (head.getUint8(0) !== 1 || head.getUint16(2, true) !== 1) return null;
  const moves = (head.getUint8(1) & 1) !== 0, padded = slots + ((4 - (slots % 4)) % 4);
  if (buffer.byteLength < 32 + 12 * slots + padded + (moves ? 16 * slots : 0)) return null;
  let at = 32;
  const column = () => new Float32Array(buffer, (at += 4 * slots) - 4 * slots, slots);
  const found = {
    seq: head.getUint32(4, true), time: head.getFloat64(8, true), looked: head.getFloat64(16, true),
    revision: head.getUint32(28, true), slots, bytes: buffer.byteLength, gap: false,
    x: column(), y: column(), heading: column(), flags: new Uint8Array(buffer, at, slots), moves: null,
  };
  at += padded;
  if (moves) found.moves = { began: column(), ends: column(), turn: column(), distance: column() };
  return found;
}

/** What was seen of a run: states, the newest last, and before them what the view had kept. */
export class LiveSource {
  constructor(scene) {
    this.scene = scene;
    this.live = true;
    this.states = [];
    this.history = null; // a Timeline of what was before
    this.age = null; // of the newest picture (s)
    this.counters = { states: 0, kept: 0, bytes: 0 };
    this._least = Infinity;
    this._pose = [0, 0, 0, 0];
    this._bounds = null; // of all places where somebody was seen
    this._rest = new Float64Array(0);
  }

  get slots() {
    return Math.max(this.states.at(-1)?.slots ?? 0, this.history?.slots ?? 0);
  }

  get begin() {
    return this.history ? this.history.begin : (this.states[0]?.time ?? 0);
  }

  get end() {
    return this.states.at(-1)?.time ?? 0;
  }

  /** A state has come; `arrived` is Unix time (s), `now` in ms as performance.now() has it. */
  take(taken, arrived = (performance.timeOrigin + performance.now()) / 1000, now = performance.now()) {
    const { states, counters } = this, last = states.at(-1);
    this._least = Math.min(this._least, arrived - taken.looked);
    this.age = arrived - taken.looked - this._least;
    counters.states++;
    if (last && taken.time < last.time) return; // an old one
    if (last && taken.time === last.time) states.pop();
    this._since = now;
    this._gap = Math.min(now - (this._came ?? now), 250);
    this._came = now;
    states.push(taken);
    this._extend(taken);
    counters.bytes += taken.bytes;
    if (counters.bytes > ROOM) this._thin();
    counters.kept = states.length;
  }

  /** Half of the older states go, and then the oldest. */
  _thin() {
    const old = this.end - FRESH;
    this.states = this.states.filter((each, n) => each.time >= old || n % 2 === 0);
    let bytes = this.states.reduce((sum, each) => sum + each.bytes, 0);
    while (bytes > ROOM && this.states.length > 2) bytes -= this.states.shift().bytes;
    this.counters.bytes = bytes;
  }

  /** The link was lost: what comes next does not follow on what was. */
  lost() {
    const last = this.states.at(-1);
    if (last) last.gap = true;
    this._came = undefined;
  }

  clear() {
    Object.assign(this, { states: [], history: null, _least: Infinity, _came: undefined, age: null, _bounds: null });
    this.counters.bytes = 0;
  }

  /** The time that is shown now: on the way from the second newest state to the newest. */
  now() {
    const last = this.states.at(-1), before = this.states.at(-2);
    if (!before || before.gap || !this._gap) return last?.time ?? 0;
    const share = Math.min((performance.now() - this._since) / this._gap, 1);
    return before.time + share * (last.time - before.time);
  }

  /** Whether the newest state is shown in full. */
  get settledNow() {
    return performance.now() - (this._since ?? 0) >= (this._gap ?? 0);
  }

  _index(time) {
    const { states } = this;
    let low = -1, high = states.length;
    if (high > 1 && states[high - 2].time <= time) return states[high - 1].time <= time ? high - 1 : high - 2;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (states[middle].time <= time) low = middle;
      else high = middle;
    }
    return low;
  }

  poses(time, out) {
    const at = this._index(time);
    if (at < 0 && this.history) return this.history.poses(time, out);
    const slots = this.slots;
    if (out.slots !== slots) out.grow(slots);
    out.time = time;
    for (let slot = 0; slot < slots; slot++) {
      const pose = this._between(Math.max(at, 0), slot, time);
      out.x[slot] = pose[0];
      out.y[slot] = pose[1];
      out.heading[slot] = pose[2];
      out.flags[slot] = pose[3];
    }
    return out;
  }

  pose(slot, time) {
    const at = this._index(time);
    return at < 0 && this.history && slot < this.history.slots ? this.history.pose(slot, time) : this._between(Math.max(at, 0), slot, time);
  }

  /** A slot's pose after the state number `at`: by the move that it is on, or between this state and the next. */
  _between(at, slot, time) {
    const pose = this._pose, one = this.states[at], other = this.states[at + 1];
    pose[0] = pose[1] = pose[2] = NaN;
    pose[3] = 0;
    if (!one || slot >= one.slots || !(one.flags[slot] & THERE)) return pose;
    pose[0] = one.x[slot];
    pose[1] = one.y[slot];
    pose[2] = one.heading[slot];
    pose[3] = one.flags[slot];
    if (one.moves && one.moves.ends[slot] > one.moves.began[slot]) this._onTheWay(pose, one.moves, slot, time);
    else if (other && !one.gap && slot < other.slots && other.flags[slot] & THERE && time > one.time) {
      const share = Math.min((time - one.time) / (other.time - one.time), 1);
      pose[0] += share * (other.x[slot] - one.x[slot]);
      pose[1] += share * (other.y[slot] - one.y[slot]);
      pose[2] += share * shorter(other.heading[slot] - one.heading[slot]);
    }
    return pose;
  }

  /** A move as a whole, which the state has not made yet: it turns, and then goes straight. */
  _onTheWay(pose, moves, slot, time) {
    const body = this.scene.body(slot), turn = moves.turn[slot], distance = moves.distance[slot];
    const turning = Math.abs(turn) / (body.turn_rate || 1), going = Math.abs(distance) / (body.speed || 1);
    const share = Math.min(Math.max((time - moves.began[slot]) / (moves.ends[slot] - moves.began[slot]), 0), 1);
    const done = share * (turning + going);
    pose[2] += turning > 0 ? turn * Math.min(done / turning, 1) : 0;
    const gone = going > 0 ? distance * Math.max(0, (done - turning) / going) : 0;
    pose[0] += gone * Math.cos(pose[2]);
    pose[1] += gone * Math.sin(pose[2]);
    pose[3] |= MOVING;
  }

  way(slot, from, to, visit) {
    const first = this.states[0]?.time ?? Infinity;
    if (this.history && slot < this.history.slots && from < first) this.history.way(slot, from, Math.min(to, first), visit);
    let joined = this.history !== null && from < first;
    const put = (pose) => {
      if (pose[3] & THERE) visit(pose[0], pose[1], joined);
      joined = (pose[3] & THERE) !== 0;
    };
    if (from >= first) {
      put(this.pose(slot, from));
      if (this.states[this._index(from)]?.gap) joined = false;
    }
    for (let at = this._index(Math.max(from, first)) + (from >= first ? 1 : 0); at >= 0 && at < this.states.length && this.states[at].time <= to; at++) {
      put(this._between(at, slot, this.states[at].time));
      if (this.states[at].gap) joined = false;
    }
    if (to >= first) put(this.pose(slot, to));
  }

  next(time, direction) {
    const at = this._index(time);
    if (direction > 0) return this.states[Math.max(at + 1, 0)]?.time ?? this.end;
    const before = this.states[at]?.time < time ? at : at - 1;
    return before >= 0 ? this.states[before].time : this.history ? this.history.next(time, -1) : this.begin;
  }

  settled(real, model, time, poses) {
    const flags = poses.flags[real] | poses.flags[model];
    return (poses.flags[real] & poses.flags[model] & THERE) !== 0 && !(flags & MOVING);
  }

  /** Smallest rectangle round all places so far. */
  bounds() {
    const one = this._bounds, other = this.history?.bounds();
    if (!one || !other) return one || other || null;
    return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[2], other[2]), Math.max(one[3], other[3])];
  }

  _extend({ x, y, flags, slots }) {
    for (let slot = 0; slot < slots; slot++) {
      if (!(flags[slot] & THERE)) continue;
      const box = (this._bounds ||= [x[slot], y[slot], x[slot], y[slot]]);
      if (x[slot] < box[0]) box[0] = x[slot];
      if (y[slot] < box[1]) box[1] = y[slot];
      if (x[slot] > box[2]) box[2] = x[slot];
      if (y[slot] > box[3]) box[3] = y[slot];
    }
  }
}

/** The chunks of a timeline that a server has: /timeline/0 and so on. */
export async function fetchTimeline(scene, chunks, token = "") {
  const timeline = new Timeline(scene);
  for (let number = 0; number < chunks; number++) {
    const answer = await fetch(`timeline/${number}`, token ? { headers: { Authorization: `Bearer ${token}` } } : {});
    if (!answer.ok) break; // what was kept is kept no longer
    timeline.add(decoded(await inflated(await answer.arrayBuffer())));
  }
  timeline.build();
  return timeline;
}

/** The WebSocket: connects again for ever, answers states, and sends what the page wants. */
export class Link {
  /** `hears` has hello, scene, state and so on: functions of a message; also up() and down(since). */
  constructor(hears, token = "", address = new URL("ws", location.href.replace(/^http/, "ws")).href.split("#")[0]) {
    Object.assign(this, { hears, token, address });
    this.wanted = {};
    this.counters = { messages: 0, unknown: 0, connected: 0 };
    this._waits = FIRST_WAIT;
    this._asked = new Map();
    this._next = 1;
    this.connect();
  }

  connect() {
    const socket = (this.socket = new WebSocket(this.address, PROTOCOL));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this._waits = FIRST_WAIT;
      this.counters.connected++;
      if (this.token) this.send({ type: "token", value: this.token });
      this.send({ type: "want", ...this.wanted });
      this.hears.up();
    };
    socket.onmessage = ({ data }) => this._take(data);
    socket.onclose = ({ code, reason }) => {
      for (const { reject } of this._asked.values()) reject(new Error("the link is lost"));
      this._asked.clear();
      this.hears.down(reason || (code === 1008 || code === 1013 ? "refused" : ""));
      const wait = this._waits * (0.8 + 0.4 * Math.random());
      this._waits = Math.min(2 * this._waits, LONGEST_WAIT);
      setTimeout(() => this.connect(), 1000 * wait);
    };
  }

  _take(data) {
    this.counters.messages++;
    if (typeof data !== "string") {
      const seen = picture(data), found = seen || state(data);
      if (!found) {
        this.counters.unknown++;
        return;
      }
      this.send({ type: "seen", seq: found.seq });
      this.hears[seen ? "picture" : "state"](found);
      return;
    }
    const message = JSON.parse(data), asked = this._asked.get(message.id);
    if (asked && (message.type === "done" || message.type === "error")) {
      this._asked.delete(message.id);
      if (message.type === "done") asked.resolve(message);
      else asked.reject(new Error(message.reason || "refused"));
    } else if (Object.hasOwn(this.hears, message.type)) this.hears[message.type](message);
    else this.counters.unknown++;
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Say what the page wants to get: rate, events, metrics, robots. */
  want(wanted) {
    const before = JSON.stringify(this.wanted);
    Object.assign(this.wanted, wanted);
    if (JSON.stringify(this.wanted) !== before) this.send({ type: "want", ...this.wanted });
  }

  /** Have the run do something; resolves when it is done. */
  control(what, value) {
    const id = this._next++;
    return new Promise((resolve, reject) => {
      this._asked.set(id, { resolve, reject });
      this.send({ type: "control", id, do: what, value: value ?? null });
    });
  }
}
