// Words beside things: where there is room, none over another, and none out of the window.

const GAP = 4; // between a thing and its words (pixels)
const HIGH = 14; // of a line of words (pixels)
const FONT = "12px system-ui, sans-serif";
const widths = new Map(); // of words (pixels)

function widthOf(context, words) {
  let found = widths.get(words);
  if (found === undefined) {
    if (widths.size > 5000) widths.clear();
    widths.set(words, (found = context.measureText(words).width));
  }
  return found;
}

export class Labels {
  /** What is taken already: boxes [left, top, right, bottom] (pixels). */
  constructor(view, colours, taken = []) {
    [this.view, this.colours, this.taken] = [view, colours, [...taken]];
  }

  /** Words in ink beside a thing whose edge is so far away from its middle: `first` above it, or to its right. */
  put(context, words, x, y, away, first = "right") {
    const { width, height } = this.view;
    if (x < 0 || y < 0 || x > width || y > height) return; // what is not seen has no name
    context.font = FONT;
    const wide = widthOf(context, words), far = away + GAP;
    const sides = { right: [x + far, y - HIGH / 2], above: [x - wide / 2, y - far - HIGH], left: [x - far - wide, y - HIGH / 2], below: [x - wide / 2, y + far] };
    const slid = (low, size, most) => Math.min(Math.max(low, 0), most - size); // along its side, into the window
    for (const side of ["right", "left"]) sides[side][1] = slid(sides[side][1], HIGH, height);
    for (const side of ["above", "below"]) sides[side][0] = slid(sides[side][0], wide, width);
    const boxes = [sides[first], ...Object.values(sides)].map(([left, top]) => [left, top, left + wide, top + HIGH]);
    const inside = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= width && bottom <= height;
    const free = (box) => this.taken.every((other) => box[2] <= other[0] || other[2] <= box[0] || box[3] <= other[1] || other[3] <= box[1]);
    const box = boxes.find((each) => inside(each) && free(each));
    if (!box) return; // there is no room: the list of robots says it
    this.taken.push(box);
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = this.colours.paper;
    context.strokeText(words, box[0], box[1] + HIGH / 2);
    context.fillStyle = this.colours.ink;
    context.fillText(words, box[0], box[1] + HIGH / 2);
  }
}
