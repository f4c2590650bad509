import type { PageOutages } from "../page-view.ts";
import { byId, element } from "./element.ts";
import { createKeyedChildren } from "./keyed-children.ts";
import { outageTextsIn } from "./outage-texts.ts";
import type { PageStore } from "./page-store.ts";
import { post } from "./server.ts";

type Part = keyof PageOutages;

const PARTS: readonly Part[] = ["bot", "wallet", "discord"];

/** What can be brought down, and back: the bot, whose data stays, and the two services. */
export const createOutagePanel = (store: PageStore): { readonly draw: () => void } => {
  const setRows = createKeyedChildren(byId("outage-rows"));
  const problem = byId("outage-problem");
  const texts = () => outageTextsIn(store.view()?.me.locale ?? "pt-BR");

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
