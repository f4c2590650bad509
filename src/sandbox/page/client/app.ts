import "@skyra/discord-components-core/discord-embed-description.js";
import "@skyra/discord-components-core/discord-embed-field.js";
import "@skyra/discord-components-core/discord-embed-fields.js";
import "@skyra/discord-components-core/discord-embed-footer.js";
import "@skyra/discord-components-core/discord-mention.js";
import "@skyra/discord-components-core/discord-messages.js";
import "@skyra/discord-components-core/discord-time.js";
import "@skyra/discord-components-core/discord-verified-author-tag.js";
import { createChannelList } from "./channel-list.ts";
import { startClockPanel } from "./clock-panel.ts";
import { styleComponents } from "./component-styles.ts";
import { createComposer } from "./composer.ts";
import { byId } from "./element.ts";
import { createFrame } from "./frame.ts";
import { createGuide } from "./guide.ts";
import { createMessageList } from "./message-list.ts";
import { createModalDialog } from "./modal-dialog.ts";
import { createOutagePanel } from "./outage-panel.ts";
import { createPageStore } from "./page-store.ts";
import { createPeopleBar } from "./people-bar.ts";
import { createSellPanel } from "./sell-panel.ts";
import { createWalletPanel } from "./wallet-panel.ts";

styleComponents();
const store = createPageStore();
const composer = createComposer(store);
const messages = createMessageList(store, composer.type);
const parts = [
  createFrame(store),
  createPeopleBar(store),
  createChannelList(store),
  messages,
  composer,
  createModalDialog(store),
  createSellPanel(store),
  createWalletPanel(store),
  createOutagePanel(store),
  createGuide(store, composer.type),
];

store.onChange(() => {
  byId("connection").hidden = store.connected();
  for (const part of parts) part.draw();
});
startClockPanel(store, messages.refresh);

/** Panels close like menus: by a click elsewhere or by Escape. */
const menus = document.querySelectorAll<HTMLDetailsElement>("details.menu");
document.addEventListener("pointerdown", (event) => {
  for (const menu of menus) if (!menu.contains(event.target as Node)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus) {
    if (!menu.open) continue;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});
