// What stands still in the picture, and who moves in it: a scene as it comes from Python, and as it is asked here.

export const KINDS = ["outside", "virtual", "real", "counterpart"]; // in the order in which they are drawn
const UNKNOWN = { robot: 0, kind: "virtual", radius: 0.1, speed: 0, turn_rate: 0, colour: "", beams: [], reach: 0, seen: "" };

const CHANGES = 20000; // of marks, that are kept of a live run

export class Scene {
  /** `plain` is a scene of scene.py; `changes` are [time, name, mark or null], in the order of time. */
  constructor(plain, changes = []) {
    this.title = plain.title || "";
    this.stage = plain.stage || "fast";
    [this.width, this.height] = [plain.width, plain.height];
    this.walled = plain.walled !== false;
    this.obstacles = plain.obstacles || [];
    this.follow = plain.follow || 0;
    this.published = plain.published || {};
    [this.tracks, this.rays, this.arrows] = [plain.tracks ?? 30, plain.rays ?? 200, plain.arrows || 1];
    this.unseen = plain.unseen ?? 1; // s
    this.changes = changes;
    this._first = Object.entries(plain.marks || {});
    this._marks = new Map(this._first);
    this._applied = 0;
    this.bodies = [];
    this.join(plain.bodies || []);
  }

  /** Take further bodies. */
  join(bodies) {
    for (const body of bodies) this.bodies[body.slot] = { ...UNKNOWN, ...body };
    this._sort();
  }

  /** Bodies are gone; their slots are not used again. */
  leave(slots) {
    for (const slot of slots) if (this.bodies[slot]) this.bodies[slot].gone = true;
    this._sort();
  }

  _sort() {
    this.pairs = new Map(); // slots of counterparts, by slot of the real robot
    const model = new Map();
    for (const body of this.bodies) if (body && body.kind !== "real" && body.robot) model.set(body.robot, body.slot);
    for (const body of this.bodies) {
      if (body && body.kind === "real" && model.has(body.robot)) this.pairs.set(body.slot, model.get(body.robot));
    }
    this.seen = this.bodies.find((body) => body && body.kind === "real" && body.seen)?.seen || "";
  }

  /** What moves in a slot; somebody unknown has joined without a word. */
  body(slot) {
    return (this.bodies[slot] ||= { ...UNKNOWN, radius: 0, slot, name: `body ${slot + 1}` }); // of older recordings: joined later, a dot
  }

  /** Whether what moves in a slot is no robot, and must not look like one. */
  isThing(body) {
    return !body.robot && body.kind !== "outside";
  }

  has(kind) {
    return this.bodies.some((body) => body && body.kind === kind);
  }

  /** Slot of a robot by its number, of the model if there is one. */
  slotOf(robot) {
    const found = this.bodies.filter((body) => body && robot && body.robot === robot);
    return (found.find((body) => body.kind !== "real") || found[0])?.slot ?? -1;
  }

  /** The other one of a real robot and its counterpart; -1: there is none. */
  otherOf(slot) {
    if (this.pairs.has(slot)) return this.pairs.get(slot);
    for (const [real, model] of this.pairs) if (model === slot) return real;
    return -1;
  }

  /** Marks as they are at a time; the second says whether they are others than when it was asked before. */
  marks(time) {
    let applied = this._applied;
    if (applied && this.changes[applied - 1][0] > time) { // backwards: from the beginning again
      applied = 0;
      this._marks = new Map(this._first);
      this._applied = -1;
    }
    while (applied < this.changes.length && this.changes[applied][0] <= time) {
      const [, name, mark] = this.changes[applied++];
      put(this._marks, name, mark);
    }
    const others = applied !== this._applied;
    this._applied = applied;
    return [this._marks, others];
  }

  /** A mark is another one from a time on, which is not before that of the changes that are known (live). */
  mark(change) {
    this.changes.push(change);
    if (this.changes.length <= CHANGES) return;
    const first = new Map(this._first);
    for (const [, name, mark] of this.changes.splice(0, CHANGES / 2)) put(first, name, mark);
    [this._first, this._marks, this._applied] = [[...first], first, 0];
  }
}

function put(marks, name, mark) {
  if (mark === null) marks.delete(name);
  else marks.set(name, mark);
}
