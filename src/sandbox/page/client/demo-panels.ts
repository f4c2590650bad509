import { demoTextsIn } from "./demo-texts.ts";
import { byId, createKeyedChildren, element } from "./element.ts";
import { type PageStore, post } from "./page-store.ts";
import { clockDate, clockTime, fieldTime, nextReportLabel } from "./times.ts";
import type { ClockOutcome, PageOutages } from "../page-view.ts";

const TICK_MS = 250;

/** The panel that shows and moves the virtual clock. `onTick` is called as time passes. */
export const startClockPanel = (store: PageStore, onTick: () => void): void => {
  const field = byId("clock-field") as HTMLInputElement;
  const problem = byId("clock-problem");
  const clock = byId("clock");
  const panel = byId("clock-panel") as HTMLDetailsElement;

  const texts = () => demoTextsIn(store.locale());
  let moves = 0;
  const count = (change: 1 | -1): void => {
    moves += change;
    clock.ariaBusy = moves > 0 ? "true" : null;
  };
  const move = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    count(1);
    problem.textContent = "";
    try {
      const { outcome } = await post<{ readonly outcome: ClockOutcome }>("/clock", body);
      problem.textContent = texts().clockOutcomes[outcome];
    } catch {
      problem.textContent = texts().clockStuck;
    } finally {
      count(-1);
    }
  };
  const onClick = (id: string, body: Readonly<Record<string, unknown>>): void =>
    byId(id).addEventListener("click", () => void move(body));

  onClick("clock-minute", { kind: "by", minutes: 1 });
  onClick("clock-minutes", { kind: "by", minutes: 10 });
  onClick("clock-hour", { kind: "by", minutes: 60 });
  onClick("clock-day", { kind: "by", minutes: 24 * 60 });
  onClick("clock-report", { kind: "next_report" });
  byId("clock-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void move({ kind: "to", local: field.value });
  });
  panel.addEventListener("toggle", () => {
    problem.textContent = "";
    if (panel.open) field.value = fieldTime(store.now());
  });

  setInterval(() => {
    const view = store.view();
    if (view === undefined) return;
    const { locale } = view.me;
    byId("clock-date").textContent = clockDate(store.now(), locale);
    byId("clock-time").textContent = clockTime(store.now());
    byId("clock-report").textContent = nextReportLabel(store.now(), locale);
    onTick();
  }, TICK_MS);
};

type Part = keyof PageOutages;

const PARTS: readonly Part[] = ["bot", "wallet", "discord"];

/** Switches that take the bot and the two services down and bring them back. The bot keeps its data. */
export const createOutagePanel = (store: PageStore): { readonly draw: () => void } => {
  const setRows = createKeyedChildren(byId("outage-rows"));
  const problem = byId("outage-problem");
  const texts = () => demoTextsIn(store.locale()).outages;

  const change = async (what: Part, up: boolean): Promise<void> => {
    problem.textContent = "";
    try {
      await post("/outage", { what, up });
    } catch {
      problem.textContent = texts().notUp;
    }
  };

  const row = (what: Part, state: PageOutages[Part]): HTMLElement => {
    const { names, states, down, up } = texts();
    const isDown = state === "off";
    const button = element(
      "button",
      {
        type: "button",
        class: isDown ? "button small accent" : "button small secondary",
        "aria-label": `${isDown ? up : down} ${names[what]}`,
        "aria-disabled": state === "starting" ? "true" : undefined,
        onclick: () => {
          if (state !== "starting") void change(what, isDown);
        },
      },
      isDown ? up : down,
    );
    return element(
      "div",
      { class: "outage", "data-state": state ?? "" },
      element("span", { class: "outage-name" }, names[what]),
      element("small", {}, states[state ?? "on"]),
      button,
    );
  };

  return {
    draw: () => {
      const view = store.view();
      if (view === undefined) return;
      setRows(
        PARTS.filter((part) => view.outages[part] !== null).map((part) => ({
          key: part,
          signature: `${view.outages[part]} ${view.me.locale}`,
          render: () => row(part, view.outages[part]),
        })),
      );
    },
  };
};
