import { DiscordCode } from "@skyra/discord-components-core/discord-code.js";
import { DiscordEmbed } from "@skyra/discord-components-core/discord-embed.js";
import { DiscordMessage } from "@skyra/discord-components-core/discord-message.js";
import { DiscordPre } from "@skyra/discord-components-core/discord-pre.js";
import "@skyra/discord-components-core/discord-embed-description.js";
import "@skyra/discord-components-core/discord-embed-field.js";
import "@skyra/discord-components-core/discord-embed-fields.js";
import "@skyra/discord-components-core/discord-embed-footer.js";
import "@skyra/discord-components-core/discord-mention.js";
import "@skyra/discord-components-core/discord-messages.js";
import "@skyra/discord-components-core/discord-time.js";
import "@skyra/discord-components-core/discord-verified-author-tag.js";
import { createChannelList, createStaticTexts, createPeopleBar } from "./navigation.ts";
import { createOutagePanel, startClockPanel } from "./demo-panels.ts";
import { createComposer } from "./composer.ts";
import { byId } from "./element.ts";
import { createGuide } from "./guide.ts";
import { createMessageList } from "./message-list.ts";
import { createModalDialog } from "./modal-dialog.ts";
import { createPageStore } from "./page-store.ts";
import { createSellPanel, createWalletPanel } from "./wallet-panel.ts";

/** Styles inside the message components, where the page's style sheets do not apply. */
const STYLES = [
  [
    DiscordMessage,
    `.discord-message-timestamp { color: var(--text-soft); }
    .discord-message-content { min-width: 0; }
    :host .discord-message-markup { font-size: 15px; }
    .discord-author-avatar img { cursor: default; }`,
  ],
  [
    DiscordEmbed,
    `:host .discord-left-border { background-color: #5b616d; }
    :host .discord-embed-wrapper { min-width: 0; background-color: var(--ground-side); border-color: var(--line); }
    :host .discord-embed-wrapper .discord-embed-grid { grid-template-columns: minmax(0, 1fr); display: grid; }
    @media (min-width: 600px) { :host .discord-embed-root { min-width: 380px; } }`,
  ],
  [
    DiscordCode,
    `:host { background: none; }
    code, :host([embed]) code { margin: 0; padding: 1px 5px; background: var(--ground-deep); }
    :host([multiline]) code, :host([embed][multiline]) code {
      box-sizing: border-box; width: 100%; padding: 8px 10px; border: 1px solid var(--line); background: var(--ground-deep); }`,
  ],
  [DiscordPre, `:host pre, :host([embed]) pre { width: 100%; margin: 4px 0; }`],
] as const;

/** Must run before the first message component is drawn. */
const styleComponents = (): void => {
  for (const [component, text] of STYLES) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    component.elementStyles.push(sheet);
  }
};

styleComponents();
const store = createPageStore();
const composer = createComposer(store);
const messages = createMessageList(store, composer.type);
const parts = [
  createStaticTexts(store),
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

/** Panels, and the menus of messages, close by Escape and by a click or the focus outside. */
const openMenus = () =>
  document.querySelectorAll<HTMLDetailsElement>("details.menu[open], details.message-menu[open]");
const leaveMenus = (place: EventTarget | null): void => {
  for (const menu of openMenus()) if (!menu.contains(place as Node)) menu.open = false;
};
document.addEventListener("pointerdown", ({ target }) => leaveMenus(target));
document.addEventListener("focusin", ({ target }) => leaveMenus(target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});
