// Where everybody was: decodes the chunks of a timeline, and tells poses at any time, forwards and backwards.
// The format is told in timeline.py, the rule for what lies between two changes in posing.py.

export const STEP = 1e-4; // unit of places and headings (m, rad)
const TICK = 1 / 1024; // unit of times (s)
const NOWHERE = -(2 ** 31); // place of who is not there
const JOINED = 1; // fixes that are further apart are not joined (s)
const WIDE = 1, ARCS = 2; // flags
const CORRECTED = 0.05; // so long after a fix its counterpart is put where it was seen (s)
const STILL = 0.01, TURNED = 0.05; // slower than that (m/s, rad/s) is who stands, by fixes that are not quite alike
const BEND = 0.1; // of an arc that is drawn as a straight line (rad)
export const THERE = 1, MOVING = 2, BLOCKED = 4, UNSURE = 8, HELD = 16; // flags of a pose

/** Poses of all slots at one time: x, y (m), heading (rad), flags. */
export class Poses {
  constructor(slots) {
    this.time = 0;
    this.grow(slots);
  }

  grow(slots) {
    this.slots = slots;
    this.x = new Float64Array(slots);
    this.y = new Float64Array(slots);
    this.heading = new Float64Array(slots);
    this.flags = new Uint8Array(slots);
  }
}

/** The bytes that were deflated, without a header. */
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** A chunk's columns; the first `slots` rows say where everybody is at its beginning. Whoever is nowhere is NOWHERE. */
export function decoded(buffer) {
  const head = new DataView(buffer, 0, 32);
  const [kind, flags, version] = [head.getUint8(0), head.getUint8(1), head.getUint16(2, true)];
  if (kind !== 2 || version !== 1) throw new Error(`a chunk of kind ${kind}, version ${version}, is not known here`);
  const count = head.getUint32(4, true), begin = head.getFloat64(8, true), slots = head.getUint32(24, true);
  const rows = slots + count;
  let at = 32;
  const column = (Type, length) => {
    const size = length * Type.BYTES_PER_ELEMENT; // copied where it does not begin at a multiple of its size
    const found = at % Type.BYTES_PER_ELEMENT ? new Type(buffer.slice(at, at + size)) : new Type(buffer, at, length);
    at += size;
    return found;
  };
  const chunk = {
    begin, end: head.getFloat64(16, true), slots, rows,
    time: new Float64Array(rows).fill(begin), slot: new Uint32Array(rows),
    x: new Int32Array(rows), y: new Int32Array(rows), heading: new Int32Array(rows),
    speed: new Float32Array(rows), turn: new Float32Array(rows),
  };
  const places = [chunk.x, chunk.y, chunk.heading], motions = [chunk.speed, chunk.turn];
  for (const place of places) place.set(column(Int32Array, slots));
  for (const motion of motions) motion.set(column(Float32Array, slots));
  const ticks = column(Uint32Array, count);
  const changed = column(flags & WIDE ? Uint32Array : Uint16Array, count);
  const steps = places.map(() => column(Int32Array, count));
  if (flags & ARCS) for (const motion of motions) motion.set(column(Float32Array, count), slots);
  const last = new Uint32Array(slots); // row of each slot's last change
  for (let slot = 0; slot < slots; slot++) last[slot] = chunk.slot[slot] = slot;
  for (let change = 0, passed = 0; change < count; change++) {
    const row = slots + change, slot = changed[change], before = last[slot];
    passed += ticks[change];
    chunk.time[row] = begin + TICK * passed;
    chunk.slot[row] = slot;
    const whole = chunk.x[before] === NOWHERE || steps[0][change] === NOWHERE;
    for (let axis = 0; axis < 3; axis++) {
      places[axis][row] = whole ? steps[axis][change] : places[axis][before] + steps[axis][change];
    }
    last[slot] = row;
  }
  return chunk;
}

/** All changes of a run, by slot, and the poses that follow from them. */
export class Timeline {
  constructor(scene, begin = 0, end = 0) {
    this.scene = scene;
    [this.begin, this.end, this.slots] = [begin, end, 0];
    this.chunks = [];
    this.changes = 0;
    this._built = 0;
    this._build();
  }

  /** Take a further chunk, in their order. */
  add(chunk) {
    if (!this.chunks.length) this.begin = chunk.begin;
    this.chunks.push(chunk);
    this.slots = Math.max(this.slots, chunk.slots);
    this.end = Math.max(this.end, chunk.end);
    this.changes += chunk.rows - chunk.slots;
  }

  /** Sort what was added by slots; false: there was nothing new. */
  build() {
    if (this._built === this.chunks.length) return false;
    this._build();
    return true;
  }

  _build() {
    const { slots, chunks } = this;
    this._built = chunks.length;
    const news = newsOf(chunks, slots);
    const first = new Uint32Array(slots + 2); // row of each slot's first change; counted one further, then summed up
    chunks.forEach((chunk, number) => {
      for (let row = 0; row < chunk.rows; row++) if (news[number][row]) first[chunk.slot[row] + 2]++;
    });
    for (let slot = 0; slot <= slots; slot++) first[slot + 1] += first[slot];
    const rows = first[slots + 1];
    this.time = new Float64Array(rows);
    for (const name of ["x", "y", "heading"]) this[name] = new Int32Array(rows);
    for (const name of ["speed", "turn"]) this[name] = new Float32Array(rows);
    chunks.forEach((chunk, number) => {
      for (let row = 0; row < chunk.rows; row++) {
        if (!news[number][row]) continue;
        const to = first[chunk.slot[row] + 1]++;
        for (const name of ["time", "x", "y", "heading", "speed", "turn"]) this[name][to] = chunk[name][row];
      }
    });
    this.first = first;
    this._seen = Array.from({ length: slots }, (_, slot) => { // row in which a slot is somewhere for the first time
      const row = this.x.subarray(first[slot], first[slot + 1]).findIndex((place) => place !== NOWHERE);
      return row < 0 ? -1 : first[slot] + row;
    });
    this._cursor = new Int32Array(slots).fill(-1);
    this._pose = [0, 0, 0, 0];
  }

  /** Poses of all slots at a time (s). */
  poses(time, out) {
    if (out.slots !== this.slots) out.grow(this.slots);
    out.time = time;
    const pose = this._pose;
    for (let slot = 0; slot < this.slots; slot++) {
      this.pose(slot, time);
      if (!pose[3]) this._unseen(slot, time, pose);
      out.x[slot] = pose[0];
      out.y[slot] = pose[1];
      out.heading[slot] = pose[2];
      out.flags[slot] = pose[3];
    }
    return out;
  }

  /** A real robot that nobody has seen yet is shown where it is seen first. */
  _unseen(slot, time, pose) {
    const row = this._seen[slot];
    if (row < 0 || this.time[row] <= time || this.scene.body(slot).kind !== "real") return;
    pose[0] = STEP * this.x[row];
    pose[1] = STEP * this.y[row];
    pose[2] = STEP * this.heading[row];
    pose[3] = THERE | UNSURE;
  }

  /** The row of the slot's last change up to a time; before the first: one less than the first. */
  row(slot, time) {
    const times = this.time;
    let low = this.first[slot] - 1, high = this.first[slot + 1];
    const known = this._cursor[slot]; // mostly it is the same as before, or the next
    if (known >= low && known < high && (known === low || times[known] <= time)) {
      low = known;
      if (low + 1 >= high || times[low + 1] > time) return low;
      if (low + 2 >= high || times[low + 2] > time) return (this._cursor[slot] = low + 1);
    }
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return (this._cursor[slot] = low);
  }

  /** A slot's pose: x, y, heading, flags; the array is used again. */
  pose(slot, time) {
    const pose = this._pose, row = this.row(slot, time);
    pose[0] = pose[1] = pose[2] = NaN;
    pose[3] = 0;
    if (row < this.first[slot] || this.x[row] === NOWHERE) return pose;
    const speed = this.speed[row], turn = this.turn[row];
    pose[0] = STEP * this.x[row];
    pose[1] = STEP * this.y[row];
    pose[2] = STEP * this.heading[row];
    pose[3] = THERE;
    if (speed || turn) {
      this._along(pose, speed, turn, time - this.time[row]);
      pose[3] |= MOVING;
    } else {
      const body = this.scene.body(slot), next = row + 1 < this.first[slot + 1] && this.x[row + 1] !== NOWHERE;
      if (speed !== speed) this._onPath(pose, row, time, next);
      else if (body.kind === "real") this._betweenFixes(pose, row, time, next, row > this.first[slot] && this.x[row - 1] !== NOWHERE);
      else if (next && body.speed > 0 && body.turn_rate > 0) this._inMotion(pose, row, time, body);
    }
    return pose;
  }

  _along(pose, speed, turn, since) {
    const half = (turn * since) / 2, middle = pose[2] + half; // a chord has the heading of half its arc
    const chord = speed * since * (Math.abs(half) < 1e-9 ? 1 : Math.sin(half) / half);
    pose[0] += chord * Math.cos(middle);
    pose[1] += chord * Math.sin(middle);
    pose[2] += 2 * half;
  }

  /** Of who follows a path that is no arc: straight to the next change, which tells whether it moves. */
  _onPath(pose, row, time, next) {
    if (!next || !(this.time[row + 1] > this.time[row])) return;
    const share = (time - this.time[row]) / (this.time[row + 1] - this.time[row]);
    this._step(pose, row, share, share);
    if (this._moves(row)) pose[3] |= MOVING;
  }

  /** Of a real robot; who was moving when it was seen last is believed to go on, until that is too long ago. */
  _betweenFixes(pose, row, time, next, before) {
    if (time - this.time[row] > this.scene.unseen) pose[3] |= UNSURE;
    if (next && this._joined(row)) {
      if (this._moves(row)) pose[3] |= MOVING;
      const share = (time - this.time[row]) / (this.time[row + 1] - this.time[row]);
      this._step(pose, row, share, share);
    } else if (before && this._joined(row - 1) && this._moves(row - 1) && time - this.time[row] < JOINED) pose[3] |= MOVING;
  }

  _joined(row) {
    const apart = this.time[row + 1] - this.time[row];
    return apart < JOINED && apart > 0;
  }

  /** Whether a fix and the next one differ by more than those of a robot at rest. */
  _moves(row) {
    const apart = this.time[row + 1] - this.time[row];
    const way = STEP * Math.hypot(this.x[row + 1] - this.x[row], this.y[row + 1] - this.y[row]);
    return way > STILL * apart || Math.abs(shorter(STEP * (this.heading[row + 1] - this.heading[row]))) > TURNED * apart;
  }

  /** Of who stood and has reached its next change by a motion as a whole: still standing, turning, or on its way. */
  _inMotion(pose, row, time, body) {
    const turning = Math.abs(shorter(STEP * (this.heading[row + 1] - this.heading[row]))) / body.turn_rate;
    const going = STEP * Math.hypot(this.x[row + 1] - this.x[row], this.y[row + 1] - this.y[row]) / body.speed;
    const whole = turning + going, took = Math.min(whole, this.time[row + 1] - this.time[row]);
    const left = this.time[row + 1] - time;
    if (!(whole > 0) || left >= took) return;
    const done = (1 - left / took) * whole; // as if it had been in time
    this._step(pose, row, going > 0 ? Math.max(0, (done - turning) / going) : 0, turning > 0 ? Math.min(1, done / turning) : 1);
    pose[3] |= MOVING;
  }

  /** A share of the way, and of the turn, to the next change. */
  _step(pose, row, way, turn) {
    pose[0] += way * STEP * (this.x[row + 1] - this.x[row]);
    pose[1] += way * STEP * (this.y[row + 1] - this.y[row]);
    pose[2] += turn * shorter(STEP * (this.heading[row + 1] - this.heading[row]));
  }

  /** Visit places that a slot's way from one time to another goes over: visit(x, y, whether joined to the one before). */
  way(slot, from, to, visit) {
    let pose = this.pose(slot, from), joined = false;
    const put = () => {
      if (pose[3] & THERE) visit(pose[0], pose[1], joined);
      joined = (pose[3] & THERE) !== 0;
    };
    put();
    const real = this.scene.body(slot).kind === "real";
    for (let row = this.row(slot, from); row < this.first[slot + 1] && !(row >= 0 && this.time[row] > to); row++) {
      if (row < this.first[slot]) continue;
      const begin = this.time[row];
      if (begin > from) {
        if (real && row > this.first[slot] && begin - this.time[row - 1] >= JOINED) joined = false;
        pose = this.pose(slot, begin);
        put();
      }
      if (this.turn[row] && this.speed[row]) { // an arc is drawn by short lines
        const end = Math.min(to, row + 1 < this.first[slot + 1] ? this.time[row + 1] : to);
        const step = BEND / Math.abs(this.turn[row]);
        for (let at = Math.max(begin, from) + step, most = 1000; at < end && most > 0; at += step, most--) {
          pose = this.pose(slot, at);
          put();
        }
      }
    }
    pose = this.pose(slot, to);
    put();
  }

  /** Time of the nearest change after (1) or before (-1) a time; its end or beginning where there is none. */
  next(time, direction) {
    let best = direction > 0 ? this.end : this.begin;
    for (let slot = 0; slot < this.slots; slot++) {
      let row = this.row(slot, time);
      if (direction > 0) row += 1;
      else while (row >= this.first[slot] && this.time[row] >= time - 1e-9) row--;
      if (row < this.first[slot] || row >= this.first[slot + 1]) continue;
      best = direction > 0 ? Math.min(best, this.time[row]) : Math.max(best, this.time[row]);
    }
    return best;
  }

  /** Whether a real robot was seen since its counterpart moved, and that stands: then they can be compared. */
  settled(real, model, time, poses) {
    if ((poses.flags[real] | poses.flags[model]) & (MOVING | UNSURE) || !(poses.flags[real] & poses.flags[model] & THERE)) return false;
    const seen = this.time[this.row(real, time)], moved = this.time[this.row(model, time)];
    return seen >= moved - CORRECTED;
  }

  /** Smallest rectangle round all places: left, low, right, high (m); null where nobody ever was. */
  bounds() {
    let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let row = 0; row < this.time.length; row++) {
      if (this.x[row] === NOWHERE) continue;
      left = Math.min(left, this.x[row]);
      right = Math.max(right, this.x[row]);
      low = Math.min(low, this.y[row]);
      high = Math.max(high, this.y[row]);
    }
    return left > right ? null : [STEP * left, STEP * low, STEP * right, STEP * high];
  }
}

/** Which rows of chunks tell something new: what holds at the beginning of one mostly held at the end of the one before. */
function newsOf(chunks, slots) {
  const last = ["x", "y", "heading"].map(() => new Int32Array(slots).fill(NOWHERE));
  return chunks.map((chunk, number) => {
    const news = new Uint8Array(chunk.rows).fill(1), now = [chunk.x, chunk.y, chunk.heading];
    for (let row = 0; row < chunk.rows; row++) {
      const slot = chunk.slot[row];
      if (number && row < chunk.slots && now.every((place, axis) => place[row] === last[axis][slot])) news[row] = 0;
      for (let axis = 0; axis < 3; axis++) last[axis][slot] = now[axis][row];
    }
    return news;
  });
}

/** A difference of headings, the shorter way round. */
export function shorter(angle) {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
