// Numbers for people.

import { shorter } from "./timeline.js";

export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** A time. */
export function seconds(time) {
  return `${time.toFixed(time >= 1000 ? 1 : 2)} s`;
}

/** An angle between -180 and 180 degrees. */
export function degrees(angle) {
  return `${((shorter(angle) * 180) / Math.PI).toFixed(1)}°`;
}
