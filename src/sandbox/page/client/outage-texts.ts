import type { PageLocale, PageOutages } from "../page-view.ts";

/** The words around the switches in index.html, by the names in its `data-text`. */
export const OUTAGE_FRAME_PT = {
  outages: "Derrubar de propósito",
  outagesAbout: "O bot volta com os dados dele.",
};

export const OUTAGE_FRAME_EN: typeof OUTAGE_FRAME_PT = {
  outages: "Pull the plug",
  outagesAbout: "The bot comes back with its data.",
};

interface OutageTexts {
  readonly names: Readonly<Record<keyof PageOutages, string>>;
  readonly states: Readonly<Record<"on" | "starting" | "off", string>>;
  readonly down: string;
  readonly up: string;
  readonly notUp: string;
}

const PORTUGUESE: OutageTexts = {
  names: { bot: "o bot", wallet: "a carteira", discord: "o Discord" },
  states: { on: "no ar", starting: "ligando…", off: "fora do ar" },
  down: "Derrubar",
  up: "Religar",
  notUp: "O bot não ligou. Com o Discord fora do ar ele não consegue: religue-o antes.",
};

const ENGLISH: OutageTexts = {
  names: { bot: "the bot", wallet: "the wallet", discord: "Discord" },
  states: { on: "up", starting: "starting…", off: "down" },
  down: "Kill",
  up: "Restore",
  notUp: "The bot did not start. It cannot while Discord is down: restore that first.",
};

export const outageTextsIn = (locale: PageLocale): OutageTexts =>
  locale === "pt-BR" ? PORTUGUESE : ENGLISH;
