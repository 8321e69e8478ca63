// What is to be said of a run that is watched, and the buttons that control it: the run, not the picture.

import { button, choice, make, say } from "./dom.js";
import { seconds, SPEEDS } from "./words.js";

const OLD = 0.25; // a picture that is older is called old (s)
const REALLY = 4000; // so long a second press is waited for (ms)
const NAMES = { pause: "Pause the run", resume: "Resume the run", step: "Step of the run", start: "Start robots", stop: "Stop robots", reset: "Reset robots" };

export class RunBar {
  constructor(link) {
    this.link = link;
    this.told = {};
    this.state = make("b", {}, "connecting");
    this.words = make("span", { class: "view-run" });
    this.age = make("span", { class: "view-age" });
    this.trouble = make("p", { class: "view-trouble", role: "alert", hidden: true });
    this.buttons = make("span", { class: "view-bar", role: "group", "aria-label": "Control of the run" });
    this.element = make("div", { class: "view-runbar" }, make("div", { class: "view-bar" }, this.state, this.words, this.age, this.buttons), this.trouble);
  }

  /** What the server lets this page do. */
  allow(control) {
    const made = control.filter((what) => NAMES[what]).map((what) => this._button(what));
    if (control.includes("pace")) {
      const paces = [[0, "as fast as it can"], ...SPEEDS.map((pace) => [pace, `${pace} ×`])];
      this.pace = choice("Pace of the run", paces, 0, (pace) => this._do("pace", Number(pace)));
      made.push(make("label", { class: "view-field" }, "Pace of the run ", this.pace));
    }
    this.buttons.replaceChildren(...made);
    this.buttons.hidden = !made.length;
  }

  _button(what) {
    const asks = what === "stop" || what === "reset"; // these ask once more
    const made = button(NAMES[what], "", () => {
      if (asks && !made.dataset.sure) {
        made.dataset.sure = "yes";
        say(made, `${NAMES[what]}: press again`);
        setTimeout(() => {
          delete made.dataset.sure;
          say(made, NAMES[what]);
        }, REALLY);
      } else this._do(what, what === "step" ? "pose" : undefined);
    });
    return made;
  }

  _do(what, value) {
    this.link.control(what, value).then(() => this._trouble(""), (error) => this._trouble(error.message));
  }

  _trouble(text) {
    this.trouble.hidden = !text;
    say(this.trouble, text);
  }

  /** What a message of the type `status` says. */
  status(told) {
    this.told = told;
    const late = told.late_ms ? `, late by ${told.late_ms.map((value) => value.toFixed(1)).join(" / ")} ms (median / 95 %)` : "";
    const pace = told.pace ? `, pace ${told.pace} ×` : "";
    const dropped = told.dropped ? `, ${told.dropped} pictures left out` : "";
    say(this.state, told.state);
    say(this.words, `at ${seconds(told.t)}${pace}${late}${dropped}, ${told.viewers} viewer${told.viewers === 1 ? "" : "s"}${told.reason ? `: ${told.reason}` : ""}`);
    if (this.pace && document.activeElement !== this.pace && told.pace !== undefined) this._show(told.pace);
  }

  /** The pace that a run has, which may be one that cannot be chosen. */
  _show(pace) {
    const known = [...this.pace.options].some(({ value }) => Number(value) === pace);
    if (!known) this.pace.append(make("option", { value: pace }, `${pace} ×`));
    this.pace.value = `${pace}`;
  }

  /** How old the picture is. */
  old(age) {
    say(this.age, age > OLD ? `picture ${age.toFixed(2)} s old` : "");
  }

  /** The link is lost since a time (ms), or is there again (0). */
  lost(since, reason) {
    this._trouble(since ? `no link since ${new Date(since).toLocaleTimeString()}${reason ? `: ${reason}` : ""}; the picture is the last one` : "");
  }
}
