import type { PageLocale } from "../page-view.ts";
import { demoTextsIn } from "./demo-texts.ts";
import type { PageStore } from "./page-store.ts";

/** What stands in index.html, in the person's language. */
export const createFrame = (store: PageStore): { readonly draw: () => void } => {
  let drawnLocale: PageLocale = "pt-BR";
  return {
    draw: () => {
      const locale = store.view()?.me.locale ?? drawnLocale;
      if (locale === drawnLocale) return;
      drawnLocale = locale;
      document.documentElement.lang = locale;
      const words = new Map(Object.entries(demoTextsIn(locale).frame));
      for (const part of document.querySelectorAll<HTMLElement>("[data-text], [data-label]")) {
        const { text = "", label = "" } = part.dataset;
        const shown = words.get(text);
        if (shown !== undefined) part.textContent = shown;
        const spoken = words.get(label);
        const attribute = part.hasAttribute("title") ? "title" : "aria-label";
        if (spoken !== undefined) part.setAttribute(attribute, spoken);
      }
    },
  };
};
